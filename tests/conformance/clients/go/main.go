// ADDRESS PREFIX GROUPS...: runs the named groups of steps in order.
package main

import "os"

var groups = map[string]func(*Steps){
	"admin":        adminSteps,
	"produce":      produceSteps,
	"consume":      consumeSteps,
	"groups":       groupSteps,
	"transactions": transactionSteps,
}

func main() {
	s := newSteps(os.Args[1], os.Args[2])
	for _, name := range os.Args[3:] {
		s.group = name
		groups[name](s)
	}
	s.client.Close()
}
