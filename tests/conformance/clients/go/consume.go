package main

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// read polls the assigned partitions until `count` records came.
func read(ctx context.Context, s *Steps, count int, offsets map[string]map[int32]kgo.Offset, options ...kgo.Opt) any {
	client := s.connect(append([]kgo.Opt{kgo.ConsumePartitions(offsets), kgo.FetchMaxWait(200 * time.Millisecond)}, options...)...)
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	found := map[int32]list{}
	for seen := 0; seen < count; {
		fetches := client.PollFetches(ctx)
		for _, problem := range fetches.Errors() {
			if ctx.Err() == nil && !errors.Is(problem.Err, context.Canceled) {
				return nameOf(problem.Err)
			}
		}
		if ctx.Err() != nil {
			return object{"only": found}
		}
		fetches.EachRecord(func(r *kgo.Record) {
			found[r.Partition] = append(found[r.Partition], describe(r))
			seen++
		})
	}
	return found
}

func describe(r *kgo.Record) any {
	headers := list{}
	for _, header := range r.Headers {
		value := hex.EncodeToString(header.Value)
		if header.Value == nil {
			value = "null"
		}
		headers = append(headers, list{header.Key, value})
	}
	return list{r.Offset, r.Timestamp.UnixMilli() - start, bytesOf(r.Key), bytesOf(r.Value), headers, r.LeaderEpoch, r.Attrs.TimestampType(), r.Attrs.CompressionType()}
}

func bytesOf(value []byte) any {
	if value == nil {
		return nil
	}
	return string(value)
}

func readAll(ctx context.Context, s *Steps, topic string, count int, options ...kgo.Opt) any {
	from := kgo.NewOffset().AtStart()
	return read(ctx, s, count, map[string]map[int32]kgo.Offset{topic: {0: from, 1: from}}, options...)
}

func consumeSteps(s *Steps) {
	topic := s.topic("consume")
	at := func(offset kgo.Offset) map[string]map[int32]kgo.Offset {
		return map[string]map[int32]kgo.Offset{topic: {0: offset}}
	}
	s.step("topic to consume", func(ctx context.Context) (any, error) {
		if err := s.create(ctx, topic, 2, nil); err != nil {
			return nil, err
		}
		return send(ctx, s, topic, 40, kgo.ProducerBatchMaxBytes(1024), kgo.ProducerBatchCompression(kgo.NoCompression()))
	})
	for name, options := range map[string][]kgo.Opt{
		"beginning":      nil,
		"small fetches":  {kgo.FetchMaxBytes(100), kgo.FetchMaxPartitionBytes(100)},
		"read committed": {kgo.FetchIsolationLevel(kgo.ReadCommitted())},
		"no sessions":    {kgo.ConsiderMissingTopicDeletedAfter(time.Minute), kgo.FetchMinBytes(1_000_000)},
	} {
		s.step(name, func(ctx context.Context) (any, error) { return readAll(ctx, s, topic, 40, options...), nil })
	}
	for name, from := range map[string]kgo.Offset{
		"from a timestamp":      kgo.NewOffset().AfterMilli(start + 30_000),
		"from the middle":       kgo.NewOffset().At(15),
		"from before the end":   kgo.NewOffset().AtEnd().Relative(-5),
		"from an offset, reset": kgo.NewOffset().At(15).WithEpoch(0),
	} {
		s.step(name, func(ctx context.Context) (any, error) { return read(ctx, s, 5, at(from)), nil })
	}
	s.step("out of range", func(ctx context.Context) (any, error) {
		return read(ctx, s, 1, at(kgo.NewOffset().At(12345)), kgo.ConsumeResetOffset(kgo.NoResetOffset())), nil
	})
	s.step("out of range, reset", func(ctx context.Context) (any, error) {
		return read(ctx, s, 20, at(kgo.NewOffset().At(12345)), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart())), nil
	})
}
