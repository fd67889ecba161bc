'use strict'
// The codecs that kafkajs leaves to plug-ins, each in Kafka's framing.

const { CompressionTypes, CompressionCodecs } = require('kafkajs')
const snappy = require('kafkajs-snappy')
const lz4 = require('lz4js')
const xxh32 = require('lz4js/xxh32')
const zstd = require('@bokuweb/zstd-wasm')

const CODECS = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD,
}

// Kafka takes frames of independent blocks only; lz4js leaves that flag out although its one block depends on nothing.
function lz4Frame(data) {
  const frame = Buffer.from(lz4.compress(data))
  frame[4] |= 0x20
  frame[6] = xxh32.hash(0, frame, 4, 2) >> 8
  return frame
}

async function install() {
  await zstd.init()
  CompressionCodecs[CompressionTypes.Snappy] = snappy
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    compress: async (encoder) => lz4Frame(encoder.buffer),
    decompress: async (buffer) => Buffer.from(lz4.decompress(buffer)),
  })
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: async (encoder) => Buffer.from(zstd.compress(encoder.buffer, 3)),
    decompress: async (buffer) => Buffer.from(zstd.decompress(buffer)),
  })
}

module.exports = { CODECS, install }
