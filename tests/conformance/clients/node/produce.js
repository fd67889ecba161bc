'use strict'
// Producing with every codec, with and without idempotence, and what the broker refuses.

const { CODECS } = require('./codecs')
const { outcome } = require('./steps')
const { create } = require('./admin')

const START = 1700000000000

function message(i) {
  return {
    partition: i % 2,
    key: i % 5 === 0 ? null : `key-${i % 7}`,
    value: i % 6 === 5 ? null : `value-${i}-é-${'x'.repeat(i * 10)}`,
    timestamp: String(START + i * 1000),
    headers: i % 3 === 0 ? { h: Buffer.from([i, 0, 255]), text: 'ü' } : undefined,
  }
}

async function send(s, topic, options, settings = {}, count = 20) {
  const producer = s.kafka.producer(settings)
  await producer.connect()
  try {
    const messages = [...Array(count).keys()].map(message)
    const sent = await producer.send({ topic, messages, ...options })
    return sent.map((r) => [r.partition, r.errorCode, r.baseOffset, r.logStartOffset]).sort()
  } finally {
    await producer.disconnect()
  }
}

async function codecs(s) {
  for (const [codec, compression] of Object.entries(CODECS)) {
    for (const idempotent of [true, false]) {
      const topic = s.topic(`produce-${codec}-${idempotent}`)
      await create(s, topic, 2)
      await s.step(`produce ${codec}${idempotent ? ' idempotent' : ''}`, () =>
        send(s, topic, { compression, acks: -1 }, { idempotent, maxInFlightRequests: 1 }))
    }
  }
  for (const acks of [0, 1, -1]) {
    const topic = s.topic(`acks-${acks}`)
    await create(s, topic, 2)
    await s.step(`acks ${acks}`, () => send(s, topic, { acks }))
  }
}

async function refusals(s) {
  await create(s, s.topic('small'), 1, [{ name: 'max.message.bytes', value: '1000' }])
  await create(s, s.topic('compacted'), 1, [{ name: 'cleanup.policy', value: 'compact' }])
  const one = async (topic, value) => {
    const producer = s.kafka.producer({ allowAutoTopicCreation: topic.endsWith('auto') })
    await producer.connect()
    try {
      const sent = await producer.send({ topic, messages: [value] })
      return sent.map((r) => [r.partition, r.baseOffset])
    } finally {
      await producer.disconnect()
    }
  }
  await s.step('too large', () => outcome(() => one(s.topic('small'), { key: 'k', value: 'x'.repeat(5000) })))
  await s.step('no key on compacted', () => outcome(() => one(s.topic('compacted'), { value: 'v' })))
  await s.step('tombstone', () => outcome(() => one(s.topic('compacted'), { key: 'k', value: null })))
  await s.step('auto-created topic', () => outcome(() => one(s.topic('auto'), { key: 'k', value: 'v' })))
  await s.step('bad topic name', () => outcome(() => one('bad name!', { value: 'v' })))
}

module.exports = async (s) => {
  await codecs(s)
  await refusals(s)
}
module.exports.send = send
module.exports.START = START
