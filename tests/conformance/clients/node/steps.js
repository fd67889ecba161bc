'use strict'
// Runs named steps against one broker and prints each one's result as a line of JSON.

const { Kafka, logLevel } = require('kafkajs')

class Steps {
  constructor(address, prefix) {
    this.prefix = prefix
    this.kafka = new Kafka({
      brokers: [address],
      logLevel: logLevel.NOTHING,
      requestTimeout: 15000,
      retry: { retries: 3, initialRetryTime: 100 },
    })
    this.admin = this.kafka.admin()
  }

  topic(name) {
    return `${this.prefix}-${name}`
  }

  async step(name, run) {
    let line
    try {
      const value = await run()
      line = { group: this.group, step: name, result: value === undefined ? 'ok' : value }
    } catch (error) {
      line = { group: this.group, step: name, error: nameOf(error) }
    }
    process.stdout.write(JSON.stringify(line) + '\n')
  }
}

function nameOf(error) {
  const cause = error.errors ? error.errors[0] : error.cause && error.cause.type ? error.cause : error
  return cause.type || cause.name || String(cause)
}

async function outcome(run) {
  try {
    const value = await run()
    return value === undefined ? 'ok' : value
  } catch (error) {
    return nameOf(error)
  }
}

// Repeats a step until it gives what is expected: brokers learn of the controller's changes a moment later.
async function until(expected, run) {
  const deadline = Date.now() + 5000
  for (;;) {
    const value = await outcome(run)
    if (JSON.stringify(value) === JSON.stringify(expected) || Date.now() > deadline) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

module.exports = { Steps, outcome, until }
