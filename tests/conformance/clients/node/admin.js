'use strict'
// Topics, settings, records and the cluster through kafkajs's admin client.

const { ConfigResourceTypes } = require('kafkajs')
const { outcome, until } = require('./steps')

async function partitionCount(s, topic) {
  const { topics } = await s.admin.fetchTopicMetadata({ topics: [topic] })
  return topics[0].partitions.length
}

async function create(s, topic, numPartitions, configEntries = []) {
  await s.admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions, replicationFactor: 1, configEntries }] })
  // A partition may be known before its leader answers, and kafkajs sends the whole request again then.
  await until(numPartitions, async () => (await s.admin.fetchTopicOffsets(topic)).length)
}

async function topics(s) {
  const topic = s.topic('admin')
  await s.step('cluster', async () => {
    const { brokers, controller, clusterId } = await s.admin.describeCluster()
    return { brokers: brokers.length, controller, id: clusterId.length }
  })
  await s.step('create', async () => {
    await create(s, topic, 3, [{ name: 'retention.ms', value: '3600000' }])
    const { topics: found } = await s.admin.fetchTopicMetadata({ topics: [topic] })
    return found[0].partitions.map((p) => [p.partitionErrorCode, p.partitionId, p.leader, p.replicas, p.isr]).sort()
  })
  await s.step('create again', () => s.admin.createTopics({ topics: [{ topic }] }))
  await s.step('list', async () => (await s.admin.listTopics()).includes(topic))
  for (const [name, wanted] of Object.entries({
    'bad name': { topic: 'bad name!' },
    'too many replicas': { topic: s.topic('three'), replicationFactor: 3 },
    'no partitions': { topic: s.topic('none'), numPartitions: 0 },
    'bad config': { topic: s.topic('config'), configEntries: [{ name: 'no.such.config', value: '1' }] },
  })) {
    await s.step(`create: ${name}`, () => outcome(() => s.admin.createTopics({ topics: [wanted] })))
  }
  await s.step('create partitions', async () => {
    await s.admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] })
    return until(5, () => partitionCount(s, topic))
  })
  await s.step('create fewer partitions', () => outcome(() => s.admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] })))
  await s.step('metadata of unknown', () => outcome(() => s.admin.fetchTopicMetadata({ topics: [s.topic('nowhere!')] })))
}

async function settings(s) {
  const resource = { type: ConfigResourceTypes.TOPIC, name: s.topic('admin') }
  const read = async () => {
    const { resources } = await s.admin.describeConfigs({ includeSynonyms: true, resources: [resource] })
    return resources[0].configEntries.map((e) => [e.configName, e.configValue, e.configSource, e.readOnly, e.isSensitive, e.configSynonyms]).sort()
  }
  await s.step('describe configs', read)
  await s.step('alter configs', async () => {
    const configEntries = [{ name: 'retention.ms', value: '777' }]
    const changed = await outcome(() => s.admin.alterConfigs({ validateOnly: false, resources: [{ ...resource, configEntries }] }))
    const seen = await until('777', async () => (await read()).find((e) => e[0] === 'retention.ms')[1])
    return [Boolean(changed), seen]
  })
  await s.step('alter configs: bad', () =>
    outcome(() => s.admin.alterConfigs({ resources: [{ ...resource, configEntries: [{ name: 'retention.ms', value: 'x' }] }] })))
}

async function records(s) {
  const topic = s.topic('records')
  const producer = s.kafka.producer()
  await create(s, topic, 1)
  await producer.connect()
  const messages = [...Array(10).keys()].map((i) => ({ key: `k${i}`, value: `v${i}`, timestamp: String(1700000000000 + i * 1000) }))
  await s.step('offsets', async () => {
    await producer.send({ topic, messages })
    return s.admin.fetchTopicOffsets(topic)
  })
  await s.step('offsets by timestamp', () => s.admin.fetchTopicOffsetsByTimestamp(topic, 1700000003500))
  await s.step('delete records', async () => {
    await s.admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '4' }] })
    return s.admin.fetchTopicOffsets(topic)
  })
  await s.step('delete records: past the end', () =>
    outcome(() => s.admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '400' }] })))
  await s.step('delete', async () => {
    await s.admin.deleteTopics({ topics: [topic] })
    return until(false, async () => (await s.admin.listTopics()).includes(topic))
  })
  await s.step('delete unknown', () => outcome(() => s.admin.deleteTopics({ topics: [s.topic('nowhere')] })))
  await producer.disconnect()
}

module.exports = async (s) => {
  await topics(s)
  await settings(s)
  await records(s)
}
module.exports.create = create
