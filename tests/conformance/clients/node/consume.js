'use strict'
// kafkajs reads only as a member of a group: from the beginning, from an offset, and every codec.

const { CODECS } = require('./codecs')
const { create } = require('./admin')
const { send, START } = require('./produce')

// Reads until `count` records were seen; `seek` moves a partition once the group has started.
async function read(s, topic, count, { settings = {}, seek } = {}) {
  const consumer = s.kafka.consumer({ groupId: `${topic}-${Math.random()}`, ...settings })
  const found = {}
  let seen = 0
  await consumer.connect()
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`only ${seen} of ${count} records came`)), 20000)
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
      const eachMessage = async ({ partition, message }) => {
        ;(found[partition] ||= new Map()).set(message.offset, describe(message))
        seen = Object.values(found).reduce((total, records) => total + records.size, 0)
        if (seen >= count) {
          clearTimeout(timer)
          resolve()
        }
      }
      consumer.run({ autoCommit: false, eachMessage }).catch(reject)
      for (const [partition, offset] of Object.entries(seek || {})) consumer.seek({ topic, partition: Number(partition), offset })
    })
  } finally {
    await consumer.disconnect()
  }
  return Object.fromEntries(Object.entries(found).map(([partition, records]) => [partition, [...records.values()]]))
}

function describe(message) {
  const headers = Object.entries(message.headers || {}).map(([name, value]) => [name, value.toString('hex')])
  return [message.offset, Number(message.timestamp) - START, String(message.key), String(message.value), headers]
}

module.exports = async (s) => {
  for (const codec of Object.keys(CODECS)) {
    await s.step(`read back ${codec}`, () => read(s, s.topic(`produce-${codec}-true`), 20))
  }
  const topic = s.topic('consume')
  await create(s, topic, 2)
  await send(s, topic, {}, {}, 40)
  await s.step('beginning', () => read(s, topic, 40))
  await s.step('small fetches', () => read(s, topic, 40, { settings: { maxBytesPerPartition: 100, maxBytes: 100 } }))
  await s.step('read uncommitted', () => read(s, topic, 40, { settings: { readUncommitted: true } }))
  await s.step('from offsets', () => read(s, topic, 25, { seek: { 0: '5', 1: '10' } }))
}
module.exports.read = read
