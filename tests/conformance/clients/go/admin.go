package main

import (
	"context"
	"errors"
	"sort"

	"github.com/twmb/franz-go/pkg/kadm"
)

func text(value string) *string { return &value }

func (s *Steps) partitionCount(ctx context.Context, topic string) any {
	topics, err := s.admin.ListTopics(ctx, topic)
	if err != nil {
		return nameOf(err)
	}
	return len(topics[topic].Partitions)
}

func (s *Steps) create(ctx context.Context, topic string, partitions int32, configs map[string]*string) error {
	response, err := s.admin.CreateTopic(ctx, partitions, 1, configs, topic)
	if err != nil {
		return err
	}
	// A partition may be known before its leader takes records, and without acks those would be lost unseen.
	until("ok", func() any {
		offsets, err := s.admin.ListEndOffsets(ctx, topic)
		if err == nil && len(offsets[topic]) < int(partitions) {
			return "not all there"
		}
		return nameOf(errors.Join(err, offsets.Error()))
	})
	return response.Err
}

func adminSteps(s *Steps) {
	topicSteps(s)
	configSteps(s)
	recordSteps(s)
}

func topicSteps(s *Steps) {
	topic := s.topic("admin")
	s.step("cluster", func(ctx context.Context) (any, error) {
		metadata, err := s.admin.BrokerMetadata(ctx)
		return object{"brokers": len(metadata.Brokers), "controller": metadata.Controller, "id": len(metadata.Cluster)}, err
	})
	s.step("create", func(ctx context.Context) (any, error) {
		response, err := s.admin.CreateTopic(ctx, 3, 1, map[string]*string{"retention.ms": text("3600000")}, topic)
		retention := response.Configs["retention.ms"]
		return object{"partitions": response.NumPartitions, "replicas": response.ReplicationFactor, "configs": len(response.Configs) >= 33,
			"retention": retention.MaybeValue()}, err
	})
	s.step("describe", func(ctx context.Context) (any, error) {
		until(3, func() any { return s.partitionCount(ctx, topic) })
		topics, err := s.admin.ListTopics(ctx, topic)
		found := list{}
		for _, p := range topics[topic].Partitions.Sorted() {
			found = append(found, list{p.Partition, p.Leader, p.LeaderEpoch, p.Replicas, p.ISR, p.OfflineReplicas, nameOf(p.Err)})
		}
		return found, err
	})
	s.step("create refused", func(ctx context.Context) (any, error) {
		outcomes := object{}
		for name, create := range map[string]func() (kadm.CreateTopicResponse, error){
			"again":      func() (kadm.CreateTopicResponse, error) { return s.admin.CreateTopic(ctx, 1, 1, nil, topic) },
			"bad name":   func() (kadm.CreateTopicResponse, error) { return s.admin.CreateTopic(ctx, 1, 1, nil, "bad name!") },
			"replicas":   func() (kadm.CreateTopicResponse, error) { return s.admin.CreateTopic(ctx, 1, 3, nil, s.topic("r")) },
			"partitions": func() (kadm.CreateTopicResponse, error) { return s.admin.CreateTopic(ctx, 0, 1, nil, s.topic("p")) },
			"bad setting": func() (kadm.CreateTopicResponse, error) {
				return s.admin.CreateTopic(ctx, 1, 1, map[string]*string{"x": text("y")}, s.topic("c"))
			},
		} {
			_, err := create()
			outcomes[name] = nameOf(err)
		}
		return outcomes, nil
	})
	s.step("create partitions", func(ctx context.Context) (any, error) {
		if _, err := s.admin.UpdatePartitions(ctx, 5, topic); err != nil {
			return nil, err
		}
		return until(5, func() any { return s.partitionCount(ctx, topic) }), nil
	})
	s.step("fewer partitions", func(ctx context.Context) (any, error) {
		responses, err := s.admin.UpdatePartitions(ctx, 2, topic)
		return nameOf(responses[topic].Err), err
	})
	s.step("unknown topic", func(ctx context.Context) (any, error) {
		topics, err := s.admin.ListTopics(ctx, s.topic("nowhere"))
		return nameOf(topics[s.topic("nowhere")].Err), err
	})
	s.step("log directories", func(ctx context.Context) (any, error) {
		wanted := list{int32(0), int32(1), int32(2), int32(3), int32(4)}
		return until(wanted, func() any {
			found := list{}
			directories, err := s.admin.DescribeAllLogDirs(ctx, nil)
			if err != nil {
				return nameOf(err)
			}
			directories.Each(func(directory kadm.DescribedLogDir) {
				for partition := range directory.Topics[topic] {
					found = append(found, partition)
				}
			})
			sort.Slice(found, func(i, j int) bool { return found[i].(int32) < found[j].(int32) })
			return found
		}), nil
	})
}

func configSteps(s *Steps) {
	topic := s.topic("admin")
	read := func(ctx context.Context) (object, error) {
		resources, err := s.admin.DescribeTopicConfigs(ctx, topic)
		found := object{}
		if err != nil {
			return nil, err
		}
		for _, config := range resources[0].Configs {
			synonyms := list{}
			for _, synonym := range config.Synonyms {
				synonyms = append(synonyms, list{synonym.Key, synonym.Value, synonym.Source.String()})
			}
			found[config.Key] = list{config.MaybeValue(), config.Source.String(), config.Sensitive, synonyms}
		}
		return found, resources[0].Err
	}
	alter := func(ctx context.Context, op kadm.IncrementalOp, name string, value *string) string {
		responses, err := s.admin.AlterTopicConfigs(ctx, []kadm.AlterConfig{{Op: op, Name: name, Value: value}}, topic)
		if err != nil {
			return nameOf(err)
		}
		return nameOf(responses[0].Err)
	}
	s.step("describe configs", func(ctx context.Context) (any, error) { return read(ctx) })
	s.step("alter configs", func(ctx context.Context) (any, error) {
		outcomes := list{
			alter(ctx, kadm.SetConfig, "retention.ms", text("777")), alter(ctx, kadm.AppendConfig, "cleanup.policy", text("compact")),
			alter(ctx, kadm.SubtractConfig, "cleanup.policy", text("delete")), alter(ctx, kadm.SetConfig, "retention.ms", text("soon")),
			alter(ctx, kadm.SetConfig, "no.such", text("1")), alter(ctx, kadm.AppendConfig, "retention.ms", text("1")),
		}
		seen := until(list{"777", "compact"}, func() any {
			configs, err := read(ctx)
			if err != nil {
				return nameOf(err)
			}
			return list{configs["retention.ms"].(list)[0], configs["cleanup.policy"].(list)[0]}
		})
		return object{"outcomes": outcomes, "seen": seen}, nil
	})
	s.step("reset configs", func(ctx context.Context) (any, error) {
		return alter(ctx, kadm.DeleteConfig, "cleanup.policy", nil), nil
	})
}

func recordSteps(s *Steps) {
	topic := s.topic("records")
	offsets := func(listed kadm.ListedOffsets, err error) (any, error) {
		offset, _ := listed.Lookup(topic, 0)
		return list{offset.Offset, offset.Timestamp, offset.LeaderEpoch, nameOf(offset.Err)}, err
	}
	s.step("offsets", func(ctx context.Context) (any, error) {
		if err := s.create(ctx, topic, 2, nil); err != nil {
			return nil, err
		}
		if _, err := send(ctx, s, topic, 20); err != nil {
			return nil, err
		}
		found := object{}
		for name, listing := range map[string]func() (kadm.ListedOffsets, error){
			"start":         func() (kadm.ListedOffsets, error) { return s.admin.ListStartOffsets(ctx, topic) },
			"end":           func() (kadm.ListedOffsets, error) { return s.admin.ListEndOffsets(ctx, topic) },
			"committed":     func() (kadm.ListedOffsets, error) { return s.admin.ListCommittedOffsets(ctx, topic) },
			"max timestamp": func() (kadm.ListedOffsets, error) { return s.admin.ListMaxTimestampOffsets(ctx, topic) },
			"at":            func() (kadm.ListedOffsets, error) { return s.admin.ListOffsetsAfterMilli(ctx, start+7000, topic) },
			"after all":     func() (kadm.ListedOffsets, error) { return s.admin.ListOffsetsAfterMilli(ctx, start+700000, topic) },
		} {
			value, err := offsets(listing())
			if err != nil {
				value = nameOf(err)
			}
			found[name] = value
		}
		return found, nil
	})
	s.step("delete records", func(ctx context.Context) (any, error) {
		wanted := kadm.Offsets{}
		wanted.AddOffset(topic, 0, 4, -1)
		wanted.AddOffset(topic, 1, 4000, -1)
		responses, err := s.admin.DeleteRecords(ctx, wanted)
		found := list{}
		for _, response := range responses.Sorted() {
			found = append(found, list{response.Partition, response.LowWatermark, nameOf(response.Err)})
		}
		return found, err
	})
	s.step("delete", func(ctx context.Context) (any, error) {
		responses, err := s.admin.DeleteTopics(ctx, topic, s.topic("nowhere"))
		gone := until(0, func() any { return s.partitionCount(ctx, topic) })
		return list{nameOf(responses[topic].Err), nameOf(responses[s.topic("nowhere")].Err), gone}, err
	})
}
