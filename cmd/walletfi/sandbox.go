package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox"
)

const sandboxLong = `sandbox runs all eleven services and a Solana node on loopback until it is interrupted
(SIGINT or SIGTERM), and prints their addresses and keys as lines for a shell. Once the
last line is out, all of them answer. The keys are throwaway keys of a ledger of its own.

The control port moves the clock, makes requests fail, signs with the test wallet and
lists violations; WALLETFI_CONTROL_OPENAPI describes it. Its token is drawn, or the value
of the variable WALLETFI_CONTROL_TOKEN.

Users who are not to meet are --tenants: GET /tenants of the control port lists their
addresses, keys and wallets, and POST /add-tenant adds one.

With --snapshot everything begins as in a FILE that --save wrote once the sandbox was
interrupted or closed, or that GET /snapshot answered; the flags must fit it.

With --deployment the services that FILE names speak as that vendor's do, so that the
file can be tried before the vendor is.`

const sandboxExample = `  walletfi sandbox > sandbox.env &     # then: set -a; . ./sandbox.env
  walletfi sandbox --json --port 9000 --seed 7 --manual-clock
  walletfi sandbox --tiers lending=pro,swap=enterprise
  walletfi sandbox --tenants alice,bob
  walletfi sandbox --snapshot world.bin --save world.bin
  walletfi sandbox --deployment acme.json`

const tokenVariable = "WALLETFI_CONTROL_TOKEN"

func newSandbox(s streams) *cobra.Command {
	config, asJSON, vendor, tenantsFile, from, save := sandbox.Config{}, false, "", "", "", ""
	var tiers map[string]string
	var tenants []string
	cmd := &cobra.Command{
		Use: "sandbox", Short: "Run all services on loopback", Long: sandboxLong, Example: sandboxExample,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if config.Deployment, err = s.optionalDeployment(vendor); err != nil {
				return err
			}
			if config.Tenants, err = s.tenants(tenants, tenantsFile); err != nil {
				return err
			}
			config.Tiers = map[sandbox.Service]sandbox.Tier{}
			for service, tier := range tiers {
				if err := oneOf("tiers", service, services...); err != nil {
					return err
				}
				config.Tiers[sandbox.Service(service)] = sandbox.Tier(tier)
			}
			if config.Snapshot, err = s.snapshot(from); err != nil {
				return err
			}
			if from != "" && !cmd.Flags().Changed("seed") {
				config.Seed = 0 // the snapshot's
			}
			return serve(cmd, s, config, asJSON, save)
		},
	}
	cmd.AddCommand(newRecord(s))
	f := cmd.Flags()
	f.IntVar(&config.BasePort, "port", 0, "`port` of the first service, the others follow; 0 means any free ports")
	f.Uint64Var(&config.Seed, "seed", 1, "determines every key and address")
	f.BoolVar(&asJSON, "json", false, "print what GET /info of the control port answers")
	f.BoolVar(&config.ManualClock, "manual-clock", false, "the clock moves by the control port alone")
	f.BoolVar(&config.InstantConfirmation, "instant", false, "finalize transactions at once")
	f.BoolVar(&config.NoLimits, "no-limits", false, "switch the services' rate limits off")
	f.StringToStringVar(&tiers, "tiers", nil, "tiers of the services' keys, `service=tier,...`")
	f.StringSliceVar(&tenants, "tenants", nil, "users who do not meet, `name,...`")
	f.StringVar(&tenantsFile, "tenants-file", "", "a `file` with more: [{\"name\": ..., \"keys\": {service: key}}]")
	f.StringVar(&from, "snapshot", "", "begin as in a `file` that --save wrote")
	f.StringVar(&save, "save", "", "a `file` for a snapshot of the whole state at the end")
	f.IntVar(&config.Shape, "shape", 0, "which shape undocumented answers have, from 1; 0 alternates")
	f.BoolVar(&config.Drift, "drift", false, "serve some documented answers with other types than documented")
	f.BoolVar(&config.StrictEcho, "strict-echo", false, "quotes and intents must come back to the byte")
	f.StringVar(&vendor, "deployment", "", "a vendor's `file`: the services that it names speak its words")
	f.StringVar(&config.LendingWebhook, "lending-webhook", "", "`URL` that the lending service posts its events to")
	offer(cmd, "tiers", services...)
	return cmd
}

// mostTenants bounds the file of tenants, in bytes.
const mostTenants = 16 << 20

// tenants are those of the names and of the file, if there is one.
func (s streams) tenants(names []string, file string) (all []sandbox.Tenant, err error) {
	for _, name := range names {
		all = append(all, sandbox.Tenant{Name: name})
	}
	if file == "" {
		return all, nil
	}
	raw, err := s.readFile(file, mostTenants)
	if err != nil {
		return nil, err
	}
	var more []sandbox.Tenant
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&more); err != nil {
		return nil, as(statusMalformed, fmt.Errorf("%s: a list of tenants is wanted: %w", file, err))
	}
	return append(all, more...), nil
}

// mostSnapshot bounds the file of a snapshot, in bytes.
const mostSnapshot = 1 << 30

// snapshot reads a file of --save, if there is one.
func (s streams) snapshot(file string) ([]byte, error) {
	if file == "" {
		return nil, nil
	}
	return s.readFile(file, mostSnapshot)
}

// saveTo writes a snapshot of a sandbox into a file, which has its keys. The file is whole or
// the one that was there.
func saveTo(file string, box *sandbox.Sandbox) error {
	if file == "" {
		return nil
	}
	raw, err := sandbox.Snapshot(box)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// serve runs a sandbox until the context ends or the control port closes it.
func serve(cmd *cobra.Command, s streams, config sandbox.Config, asJSON bool, save string) error {
	closed := make(chan struct{}, 1)
	config.Control = &sandbox.ControlPort{Token: os.Getenv(tokenVariable), Closed: func() {
		select {
		case closed <- struct{}{}:
		default:
		}
	}}
	box, err := sandbox.Start(config)
	if err != nil {
		return startError(err)
	}
	defer box.Close()
	show := showEnv
	if asJSON {
		show = showInfo
	}
	if err := show(s.out, box); err != nil {
		return err
	}
	s.busy.hush()
	select {
	case <-cmd.Context().Done():
	case <-closed:
	}
	if err := saveTo(save, box); err != nil {
		return as(statusFailed, fmt.Errorf("the snapshot: %w", err))
	}
	return violations(s, box)
}

func startError(err error) error {
	var invalid *walletfi.ValidationError
	switch {
	case errors.As(err, &invalid):
		return as(statusUsage, err)
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, syscall.EACCES):
		return as(statusNetwork, err)
	}
	return as(statusUsage, err)
}

// violations reports what no correct client sends.
func violations(s streams, box *sandbox.Sandbox) error {
	all := box.Violations()
	if len(all) == 0 {
		return nil
	}
	for _, v := range all {
		fmt.Fprintln(s.err, "violation:", strings.ReplaceAll(fmt.Sprint(v), "\n", " "))
	}
	return as(statusViolations, fmt.Errorf("violations: %d", all[len(all)-1].Number))
}
