'use strict'
// ADDRESS PREFIX GROUPS...: runs the named groups of steps in order.

const { Steps } = require('./steps')
const codecs = require('./codecs')

const GROUPS = {
  admin: require('./admin'),
  produce: require('./produce'),
  consume: require('./consume'),
}

async function main([address, prefix, ...groups]) {
  await codecs.install()
  const steps = new Steps(address, prefix)
  await steps.admin.connect()
  for (const name of groups) {
    steps.group = name
    await GROUPS[name](steps)
  }
  await steps.admin.disconnect()
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error) => {
    console.error(error)
    process.exit(1)
  },
)
