package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Steps runs named steps against one broker and prints each one's result as a line of JSON.
type Steps struct {
	address, prefix string
	group           string
	client          *kgo.Client
	admin           *kadm.Client
}

type object = map[string]any
type list = []any

func newSteps(address, prefix string) *Steps {
	s := &Steps{address: address, prefix: prefix}
	s.client = s.connect()
	s.admin = kadm.NewClient(s.client)
	return s
}

func (s *Steps) connect(options ...kgo.Opt) *kgo.Client {
	shared := []kgo.Opt{kgo.SeedBrokers(s.address), kgo.RetryTimeout(10 * time.Second), kgo.RequestRetries(3)}
	client, err := kgo.NewClient(append(shared, options...)...)
	if err != nil {
		panic(err)
	}
	return client
}

func (s *Steps) topic(name string) string { return s.prefix + "-" + name }

func (s *Steps) step(name string, run func(context.Context) (any, error)) {
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Second)
	defer cancel()
	line := object{"group": s.group, "step": name}
	if result, err := run(ctx); err != nil {
		line["error"] = nameOf(err)
	} else {
		line["result"] = result
	}
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// nameOf gives the protocol's name of an error, so that sentences of brokers are not compared.
func nameOf(err error) string {
	var protocol *kerr.Error
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &protocol):
		return protocol.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "timed out"
	}
	return err.Error()
}

// until repeats a step until it gives what is expected: brokers learn of the controller's changes a moment later.
func until(expected any, run func() any) any {
	deadline := time.Now().Add(5 * time.Second)
	for {
		value := run()
		if reflect.DeepEqual(value, expected) || time.Now().After(deadline) {
			return value
		}
		time.Sleep(10 * time.Millisecond)
	}
}
