package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox"
)

// options are what the command line says.
type options struct {
	config sandbox.Config
	asJSON bool
}

func parse(arguments []string, problems io.Writer) (options, error) {
	o := options{config: sandbox.Config{Control: &sandbox.ControlPort{}}}
	c := &o.config
	flags := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.IntVar(&c.BasePort, "port", 0, "port of the first service; 0 means any free ports")
	flags.BoolVar(&o.asJSON, "json", false, "print JSON instead of a table: what GET /info of the control port answers")
	flags.BoolVar(&c.NoLimits, "no-limits", false, "switch the services' rate limits off")
	flags.Uint64Var(&c.Seed, "seed", 1, "determines every key and address")
	flags.BoolVar(&c.ManualClock, "manual-clock", false, "the clock moves by the control port alone")
	flags.BoolVar(&c.InstantConfirmation, "instant", false, "finalize transactions at once")
	flags.IntVar(&c.Shape, "shape", 0, "which shape undocumented answers have, from 1; 0 alternates")
	flags.BoolVar(&c.Drift, "drift", false, "serve some documented answers with other types than documented")
	flags.BoolVar(&c.StrictEcho, "strict-echo", false, "quotes and intents must come back to the byte")
	flags.StringVar(&c.LendingWebhook, "lending-webhook", "", "URL that the lending service posts its events to")
	flags.StringVar(&c.Control.Token, "token", "", "token of the control port; empty draws one")
	flags.Func("deployment", "file of a deployment whose words, places and shapes the services speak",
		func(file string) (err error) {
			c.Deployment, err = deployment.Load(file)
			return err
		})
	flags.Func("tiers", "tiers of the services' keys, such as lending=pro,swap=enterprise", func(text string) (err error) {
		c.Tiers, err = tiers(text)
		return err
	})
	if err := flags.Parse(arguments); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("sandbox: %q is no flag", flags.Arg(0))
	}
	return o, nil
}

func tiers(text string) (map[sandbox.Service]sandbox.Tier, error) {
	all := map[sandbox.Service]sandbox.Tier{}
	for pair := range strings.SplitSeq(text, ",") {
		service, tier, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not of the form service=tier", pair)
		}
		all[sandbox.Service(service)] = sandbox.Tier(tier)
	}
	return all, nil
}
