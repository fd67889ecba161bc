package main

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func (s *Steps) transactional(id string, options ...kgo.Opt) *kgo.Client {
	shared := []kgo.Opt{kgo.TransactionalID(id), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.TransactionTimeout(30 * time.Second)}
	return s.connect(append(shared, options...)...)
}

func transactionSteps(s *Steps) {
	topic := s.topic("txn")
	s.step("commit and abort", func(ctx context.Context) (any, error) {
		if err := s.create(ctx, topic, 2, nil); err != nil {
			return nil, err
		}
		client := s.transactional(topic)
		defer client.Close()
		outcomes := list{}
		for i := 0; i < 6; i++ {
			if err := client.BeginTransaction(); err != nil {
				return nil, err
			}
			for p := int32(0); p < 2; p++ {
				r := &kgo.Record{Topic: topic, Partition: p, Value: []byte(fmt.Sprintf("txn-%d", i)), Timestamp: time.UnixMilli(start)}
				if err := client.ProduceSync(ctx, r).FirstErr(); err != nil {
					return nil, err
				}
				outcomes = append(outcomes, r.Offset)
			}
			if err := client.EndTransaction(ctx, kgo.TransactionEndTry(i%3 != 1)); err != nil {
				return nil, err
			}
		}
		return outcomes, nil
	})
	s.step("read committed", func(ctx context.Context) (any, error) {
		return readAll(ctx, s, topic, 8, kgo.FetchIsolationLevel(kgo.ReadCommitted())), nil
	})
	s.step("read uncommitted", func(ctx context.Context) (any, error) { return readAll(ctx, s, topic, 12), nil })
	s.step("control records", func(ctx context.Context) (any, error) {
		found := read(ctx, s, 12, map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}, kgo.KeepControlRecords())
		return len(found.(map[int32]list)[0]), nil
	})
	fencedSteps(s)
	copySteps(s)
}

func fencedSteps(s *Steps) {
	topic := s.topic("fenced")
	s.step("a second producer fences the first", func(ctx context.Context) (any, error) {
		if err := s.create(ctx, topic, 2, nil); err != nil {
			return nil, err
		}
		one, two := s.transactional(topic), s.transactional(topic)
		defer one.Close()
		defer two.Close()
		_ = one.BeginTransaction()
		first := one.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: []byte("zombie")}).FirstErr()
		_ = two.BeginTransaction()
		second := two.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: []byte("alive")}).FirstErr()
		refused := one.EndTransaction(ctx, kgo.TryCommit)
		committed := two.EndTransaction(ctx, kgo.TryCommit)
		return list{nameOf(first), nameOf(second), nameOf(refused), nameOf(committed)}, nil
	})
	s.step("only the second is seen", func(ctx context.Context) (any, error) {
		from := map[string]map[int32]kgo.Offset{topic: {0: kgo.NewOffset().AtStart()}}
		found := read(ctx, s, 1, from, kgo.FetchIsolationLevel(kgo.ReadCommitted()))
		return found.(map[int32]list)[0][0].(list)[3], nil
	})
}

// copySteps reads, changes and writes in transactions of a group session, with every third one aborted.
func copySteps(s *Steps) {
	from, to := s.topic("copy-from"), s.topic("copy-to")
	s.step("consume, transform, produce", func(ctx context.Context) (any, error) {
		for _, topic := range []string{from, to} {
			if err := s.create(ctx, topic, 2, nil); err != nil {
				return nil, err
			}
		}
		if _, err := send(ctx, s, from, 40, kgo.ProducerBatchMaxBytes(1024)); err != nil {
			return nil, err
		}
		session, err := kgo.NewGroupTransactSession(kgo.SeedBrokers(s.address), kgo.TransactionalID(to), kgo.ConsumerGroup(to),
			kgo.ConsumeTopics(from), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
			kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.FetchMaxPartitionBytes(500), kgo.RequireStableFetchOffsets())
		if err != nil {
			return nil, err
		}
		defer session.Close()
		for copied, round := 0, 0; copied < 40; round++ {
			fetches := session.PollFetches(ctx)
			if ctx.Err() != nil {
				return object{"only": copied}, nil
			}
			if err := session.Begin(); err != nil {
				return nil, err
			}
			count := 0
			fetches.EachRecord(func(r *kgo.Record) {
				count++
				session.Produce(ctx, &kgo.Record{Topic: to, Partition: r.Partition, Key: r.Key, Value: r.Value}, nil)
			})
			committed, err := session.End(ctx, kgo.TransactionEndTry(round%3 != 1))
			if err != nil {
				return nil, err
			}
			if committed {
				copied += count
			}
		}
		return "all", nil
	})
	s.step("what was copied", func(ctx context.Context) (any, error) {
		found := readAll(ctx, s, to, 40, kgo.FetchIsolationLevel(kgo.ReadCommitted()))
		values := list{}
		for partition := int32(0); partition < 2; partition++ {
			for _, each := range found.(map[int32]list)[partition] {
				values = append(values, each.(list)[3])
			}
		}
		return values, nil
	})
}
