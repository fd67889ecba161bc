package main

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// member polls in the background, as programs do, and keeps what it owns and how often each record came.
type member struct {
	client *kgo.Client
	done   chan struct{}
	mutex  sync.Mutex
	owned  map[int32]bool
	seen   map[[2]int64]int
}

func (s *Steps) member(topic string, options ...kgo.Opt) *member {
	m := &member{done: make(chan struct{}), owned: map[int32]bool{}, seen: map[[2]int64]int{}}
	change := func(owns bool) func(context.Context, *kgo.Client, map[string][]int32) {
		return func(_ context.Context, _ *kgo.Client, changed map[string][]int32) {
			m.mutex.Lock()
			defer m.mutex.Unlock()
			for _, partition := range changed[topic] {
				if owns {
					m.owned[partition] = true
				} else {
					delete(m.owned, partition)
				}
			}
		}
	}
	shared := []kgo.Opt{kgo.ConsumerGroup(topic), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.OnPartitionsAssigned(change(true)), kgo.OnPartitionsRevoked(change(false)), kgo.OnPartitionsLost(change(false)),
		kgo.HeartbeatInterval(200 * time.Millisecond), kgo.FetchMaxWait(100 * time.Millisecond)}
	m.client = s.connect(append(shared, options...)...)
	go m.poll()
	return m
}

func (m *member) poll() {
	defer close(m.done)
	for {
		fetches := m.client.PollFetches(context.Background())
		if fetches.IsClientClosed() {
			return
		}
		m.mutex.Lock()
		fetches.EachRecord(func(r *kgo.Record) { m.seen[[2]int64{int64(r.Partition), r.Offset}]++ })
		m.mutex.Unlock()
	}
}

func (m *member) count() int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return len(m.owned)
}

func (m *member) close() {
	_ = m.client.CommitUncommittedOffsets(context.Background())
	m.client.Close()
	<-m.done
}

func patiently(expected any, run func() any) any {
	deadline := time.Now().Add(20 * time.Second)
	for {
		value := until(expected, run)
		if reflect.DeepEqual(value, expected) || time.Now().After(deadline) {
			return value
		}
	}
}

func groupSteps(s *Steps) {
	for name, options := range map[string][]kgo.Opt{
		"range":              {kgo.Balancers(kgo.RangeBalancer())},
		"round robin":        {kgo.Balancers(kgo.RoundRobinBalancer())},
		"sticky":             {kgo.Balancers(kgo.StickyBalancer())},
		"cooperative sticky": {kgo.Balancers(kgo.CooperativeStickyBalancer())},
		"server side range":  {kgo.Balancers(kgo.RangeBalancer()), kgo.ServerSideBalancer()},
		"server side sticky": {kgo.Balancers(kgo.StickyBalancer()), kgo.ServerSideBalancer()},
	} {
		share(s, name, func(int) []kgo.Opt { return options })
	}
	share(s, "static", func(i int) []kgo.Opt {
		return []kgo.Opt{kgo.InstanceID(string(rune('a' + i))), kgo.SessionTimeout(6 * time.Second)}
	})
	groupAdminSteps(s)
}

// share lets two members have six partitions, then one go: the other has all, and every record came.
func share(s *Steps, name string, options func(int) []kgo.Opt) {
	topic := s.topic("share-" + strings.ReplaceAll(name, " ", "-"))
	s.step(name, func(ctx context.Context) (any, error) {
		if err := s.create(ctx, topic, 6, nil); err != nil {
			return nil, err
		}
		if _, err := send(ctx, s, topic, 20); err != nil {
			return nil, err
		}
		one, two := s.member(topic, options(0)...), s.member(topic, options(1)...)
		shared := patiently(list{3, 3}, func() any { return list{one.count(), two.count()} })
		two.close()
		alone := patiently(6, func() any { return one.count() })
		records := patiently(20, func() any { return union(one, two) })
		one.close()
		return object{"two": shared, "one": alone, "records": records}, nil
	})
}

func union(members ...*member) int {
	all := map[[2]int64]bool{}
	for _, m := range members {
		m.mutex.Lock()
		for at := range m.seen {
			all[at] = true
		}
		m.mutex.Unlock()
	}
	return len(all)
}

func groupAdminSteps(s *Steps) {
	topic := s.topic("group-admin")
	s.step("commit and fetch", func(ctx context.Context) (any, error) {
		if err := s.create(ctx, topic, 2, nil); err != nil {
			return nil, err
		}
		offsets := kadm.Offsets{}
		offsets.Add(kadm.Offset{Topic: topic, Partition: 0, At: 7, LeaderEpoch: 0, Metadata: "note"})
		committed, err := s.admin.CommitOffsets(ctx, topic, offsets)
		if err := errors.Join(err, committed.Error()); err != nil {
			return nil, err
		}
		fetched, err := s.admin.FetchOffsets(ctx, topic)
		found := list{}
		for _, offset := range fetched.Sorted() {
			found = append(found, list{offset.Partition, offset.At, offset.LeaderEpoch, offset.Metadata, nameOf(offset.Err)})
		}
		return found, err
	})
	s.step("describe and list", func(ctx context.Context) (any, error) {
		described, err := s.admin.DescribeGroups(ctx, topic, s.topic("nobody"))
		found := list{}
		for _, group := range described.Sorted() {
			found = append(found, list{group.State, group.ProtocolType, len(group.Members), nameOf(group.Err)})
		}
		listed, listError := s.admin.ListGroups(ctx)
		_, there := listed[topic]
		return object{"described": found, "listed": there}, errors.Join(err, listError)
	})
	s.step("delete", func(ctx context.Context) (any, error) {
		answers := list{}
		for i := 0; i < 2; i++ {
			response, err := s.admin.DeleteGroup(ctx, topic)
			answers = append(answers, nameOf(errors.Join(err, response.Err)))
		}
		return answers, nil
	})
}
