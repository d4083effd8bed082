// Command sandbox runs all eleven services and a Solana node on loopback until
// it is interrupted, and prints their addresses and keys, so that curl and any
// language can use them. The control port beside the services moves the clock,
// makes requests fail, signs with the test wallet, and lists violations.
//
//	go run ./examples/sandbox                  # any free ports
//	go run ./examples/sandbox -port 9000       # 9000 and up
//	go run ./examples/sandbox -json            # for programs
//	go run ./examples/sandbox -manual-clock -seed 7 -tiers lending=pro,swap=free
//
// It exits with status 1 after violations, and prints them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/walletfi/walletfi-go/sandbox"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	status, err := run(os.Args[1:], os.Stdout, os.Stderr, stop)
	if err != nil {
		log.Print(err)
	}
	os.Exit(status)
}

// run serves until something arrives on stop or the control port closes the
// sandbox. It returns the process's exit status: 0, 1 after violations, 2 if it
// could not start.
func run(arguments []string, out, problems io.Writer, stop chan os.Signal) (status int, err error) {
	o, err := parse(arguments, problems)
	if errors.Is(err, flag.ErrHelp) {
		return 0, nil
	}
	if err != nil {
		return 2, err
	}
	o.config.Control.Closed = func() {
		select {
		case stop <- os.Interrupt:
		default: // it stops already
		}
	}
	s, err := sandbox.Start(o.config)
	if err != nil {
		return 2, err
	}
	defer s.Close()
	if err := show(s, out, o.asJSON); err != nil {
		return 2, err
	}
	<-stop
	violations := s.Violations()
	for _, v := range violations {
		fmt.Fprintln(problems, "violation:", v)
	}
	if len(violations) > 0 {
		return 1, nil
	}
	return 0, nil
}
