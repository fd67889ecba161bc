package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

const start = 1_700_000_000_000

var codecs = map[string]kgo.CompressionCodec{
	"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
}
var codecNames = []string{"none", "gzip", "snappy", "lz4", "zstd"}

func record(topic string, i int) *kgo.Record {
	r := &kgo.Record{Topic: topic, Partition: int32(i % 2), Timestamp: time.UnixMilli(start + int64(i)*1000)}
	if i%5 != 0 {
		r.Key = []byte(fmt.Sprintf("key-%d", i%7))
	}
	if i%6 != 5 {
		r.Value = []byte(fmt.Sprintf("value-%d-é-%s", i, strings.Repeat("x", i*10)))
	}
	if i%3 == 0 {
		r.Headers = []kgo.RecordHeader{{Key: "h", Value: []byte{byte(i), 0, 255}}, {Key: "null"}, {Key: "", Value: []byte{}}}
	}
	return r
}

// send produces records to the first two partitions and gives the offset of each.
func send(ctx context.Context, s *Steps, topic string, count int, options ...kgo.Opt) (any, error) {
	shared := []kgo.Opt{kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerLinger(10 * time.Millisecond)}
	client := s.connect(append(shared, options...)...)
	defer client.Close()
	var records []*kgo.Record
	for i := 0; i < count; i++ {
		records = append(records, record(topic, i))
	}
	offsets := map[int32]list{}
	for _, result := range client.ProduceSync(ctx, records...) {
		if result.Err != nil {
			return nil, result.Err
		}
		offsets[result.Record.Partition] = append(offsets[result.Record.Partition], result.Record.Offset)
	}
	return offsets, nil
}

func one(ctx context.Context, s *Steps, r *kgo.Record, options ...kgo.Opt) (any, error) {
	shared := []kgo.Opt{kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.AllowAutoTopicCreation(), kgo.UnknownTopicRetries(3)}
	client := s.connect(append(shared, options...)...)
	defer client.Close()
	if err := client.ProduceSync(ctx, r).FirstErr(); err != nil {
		return nameOf(err), nil
	}
	return list{r.Partition, r.Offset}, nil
}

func produceSteps(s *Steps) {
	for _, name := range codecNames {
		for _, idempotent := range []bool{true, false} {
			topic := s.topic(fmt.Sprintf("produce-%s-%v", name, idempotent))
			options := []kgo.Opt{kgo.ProducerBatchCompression(codecs[name])}
			if !idempotent {
				options = append(options, kgo.DisableIdempotentWrite())
			}
			s.step(fmt.Sprintf("produce %s idempotent=%v", name, idempotent), func(ctx context.Context) (any, error) {
				if err := s.create(ctx, topic, 2, nil); err != nil {
					return nil, err
				}
				sent, err := send(ctx, s, topic, 30, options...)
				return object{"sent": sent, "read": readAll(ctx, s, topic, 30)}, err
			})
		}
	}
	for name, acks := range map[string]kgo.Acks{"0": kgo.NoAck(), "1": kgo.LeaderAck(), "all": kgo.AllISRAcks()} {
		topic := s.topic("acks-" + name)
		s.step("acks "+name, func(ctx context.Context) (any, error) {
			if err := s.create(ctx, topic, 2, nil); err != nil {
				return nil, err
			}
			_, err := send(ctx, s, topic, 10, kgo.RequiredAcks(acks), kgo.DisableIdempotentWrite())
			return readAll(ctx, s, topic, 10), err
		})
	}
	refusalSteps(s)
}

func refusalSteps(s *Steps) {
	s.step("topics for refusals", func(ctx context.Context) (any, error) {
		return nil, errors.Join(
			s.create(ctx, s.topic("small"), 1, map[string]*string{"max.message.bytes": text("1000")}),
			s.create(ctx, s.topic("compacted"), 1, map[string]*string{"cleanup.policy": text("compact")}),
			s.create(ctx, s.topic("recent"), 1, map[string]*string{"message.timestamp.before.max.ms": text("1000")}))
	})
	for name, r := range map[string]*kgo.Record{
		"too large":           {Topic: s.topic("small"), Value: make([]byte, 5000)},
		"no key on compacted": {Topic: s.topic("compacted"), Value: []byte("v")},
		"tombstone":           {Topic: s.topic("compacted"), Key: []byte("k")},
		"old timestamp":       {Topic: s.topic("recent"), Key: []byte("k"), Timestamp: time.UnixMilli(start)},
		"auto-created":        {Topic: s.topic("auto"), Key: []byte("k")},
		"bad topic name":      {Topic: "bad name!", Key: []byte("k")},
	} {
		s.step(name, func(ctx context.Context) (any, error) {
			return one(ctx, s, r, kgo.ProducerBatchCompression(kgo.NoCompression()))
		})
	}
}
