package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/wallet"
)

const long = `walletfi-mcp lets an agent read services of Solana as tools of the Model Context Protocol,
over standard input and output. It is started by an MCP host, not by hand.

A service's address is the variable WALLETFI_LENDING_URL, with the service's name in capitals, or in the
file of --deployment. Its key is WALLETFI_LENDING_KEY, or a file of --key-file. No key is an argument.`

const examples = `  walletfi-mcp --service lending --service swap
  walletfi-mcp --service socialsearch --posts-per-day 200 --state ~/.local/state/walletfi-mcp
  walletfi-mcp --tool onchaindata_get_token --tool predictmeta_get_market
  walletfi-mcp --service swap --allow-trades --signer /run/walletfi/signer.sock --pins pins.json --state state`

// config holds the flags.
type config struct {
	in  io.ReadCloser
	out io.WriteCloser
	log io.Writer

	services, tools     []string
	deployment, state   string
	keyFiles, allowHTTP []string
	most, posts         int

	trades                        bool
	signer, owner, pins, nodeFile string

	mask    masker
	isSound bool // whether the command line is right
}

func (c *config) command() *cobra.Command {
	cmd := &cobra.Command{
		Use: "walletfi-mcp", Short: "Services of Solana as an agent's tools", Long: long, Example: examples,
		Args: cobra.NoArgs, SilenceErrors: true, SilenceUsage: true, Version: versionText(),
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	cmd.SetVersionTemplate("{{.Version}}")
	cmd.CompletionOptions.DisableDefaultCmd = true
	f := cmd.Flags()
	f.StringArrayVar(&c.services, "service", nil, "a `service` whose reads are tools; may be repeated")
	f.StringArrayVar(&c.tools, "tool", nil, "a single read by its `name`, such as lending_get_rates; may be repeated")
	f.StringVar(&c.deployment, "deployment", "", "a vendor's `file`: see docs/deployment-file.md")
	f.StringArrayVar(&c.keyFiles, "key-file", nil,
		"a `service=file` with the key, that only you can read; may be repeated")
	f.StringArrayVar(&c.allowHTTP, "allow-http", nil, "a `host` that may be reached without TLS; may be repeated")
	f.IntVar(&c.most, "answer-bytes", 32<<10, "the most `bytes` of an answer, at least 4096")
	f.IntVar(&c.posts, "posts-per-day", 0, "how many posts socialsearch may read a day: each is billed")
	f.StringVar(&c.state, "state", "",
		"a `folder` of this server alone, which only you can read, for what must survive a restart")
	c.tradeFlags(f)
	return cmd
}

// tradeFlags adds what is for trades.
func (c *config) tradeFlags(f *pflag.FlagSet) {
	f.BoolVar(&c.trades, "allow-trades", false, "add prepare_swap and execute: every signature is the signer's")
	f.StringVar(&c.signer, "signer", "", "the Unix `socket` of a walletfi-signer")
	f.StringVar(&c.owner, "owner", "", "the `name` of the owner who trades; empty means the only one")
	f.StringVar(&c.pins, "pins", "", "a `file` with the programs that the swap service may call")
	f.StringVar(&c.nodeFile, "node-file", "", "a `file` with the URL of the node, in place of WALLETFI_NODE_URL")
}

// check looks at the flags, and picks the reads.
func (c *config) check() (picked []*read, err error) {
	all := newReads()
	for _, name := range c.services {
		if _, ok := services[name]; !ok {
			known := strings.Join(slices.Sorted(maps.Keys(services)), ", ")
			return nil, fmt.Errorf("--service: there is no service %q, there are %s", name, known)
		}
	}
	for _, name := range c.tools {
		if !slices.ContainsFunc(all, func(r *read) bool { return r.name() == name }) {
			return nil, fmt.Errorf("--tool: there is no tool %q: --service has all of a service", name)
		}
	}
	for _, text := range c.keyFiles {
		if name, _, ok := strings.Cut(text, "="); !ok || services[name] == nil {
			return nil, errors.New("--key-file is of the form service=file, such as swap=swap.key")
		}
	}
	counts := map[string]int{}
	for _, r := range all {
		if slices.Contains(c.services, r.service) || slices.Contains(c.tools, r.name()) {
			picked = append(picked, r)
			counts[r.service]++
		}
	}
	return picked, c.problem(picked, counts)
}

func (c *config) problem(picked []*read, counts map[string]int) error {
	if err := c.tradeProblem(); err != nil {
		return err
	}
	count := len(picked)
	if c.trades {
		count += tradeTools
	}
	switch {
	case count == 0:
		return errors.New("name what the agent may read, by --service or --tool")
	case count > mostTools:
		var each []string
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			each = append(each, fmt.Sprintf("%s %d", name, counts[name]))
		}
		return fmt.Errorf("these are %d tools, and an agent gets at most %d: leave a --service out (%s), "+
			"or pick reads by --tool", count, mostTools, strings.Join(each, ", "))
	case c.most < 4096:
		return errors.New("--answer-bytes is at least 4096")
	case counts["socialsearch"] > 0 && (c.posts < 1 || c.state == ""):
		return errors.New("socialsearch is billed: say how many posts a day by --posts-per-day, " +
			"and keep the count by --state")
	}
	return nil
}

// service is the server and all that it stands on.
type service struct {
	server *mcp.Server
	reader *reader
	mask   masker
	log    *slog.Logger
	turns  chan struct{}
	close  []func() error
}

func (c *config) run(ctx context.Context) error {
	picked, err := c.check()
	if err != nil {
		return err
	}
	c.isSound = true
	s, err := c.service(ctx, picked)
	if err != nil {
		return err
	}
	err = s.server.Run(ctx, &mcp.IOTransport{Reader: c.in, Writer: c.out, MaxLineLength: mostLine})
	for _, end := range slices.Backward(s.close) {
		err = errors.Join(err, end())
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// service opens everything that the tools need, and adds them.
func (c *config) service(ctx context.Context, picked []*read) (s *service, err error) {
	log := slog.New(slog.NewTextHandler(c.log, nil))
	s = &service{log: log, turns: make(chan struct{}, mostCalls), server: newServer(log, c.instructions())}
	var d *deployment.Deployment
	if c.deployment != "" {
		if d, err = deployment.Load(c.deployment); err != nil {
			return nil, err
		}
	}
	var journal wallet.Journal
	if c.state != "" {
		if journal, err = c.openState(s); err != nil {
			return nil, err
		}
	}
	s.reader = &reader{clients: map[string]reflect.Value{}, most: c.most}
	if c.posts > 0 {
		if s.reader.meter, err = newMeter(c.posts, c.state); err != nil {
			return nil, err
		}
	}
	var secrets []string
	for _, r := range picked {
		if _, open := s.reader.clients[r.service]; open {
			continue
		}
		client, key, err := c.open(r.service, d, s.reader.meter)
		if err != nil {
			return nil, err
		}
		s.reader.clients[r.service] = client
		secrets = append(secrets, key.Reveal())
	}
	if c.trades {
		trades, more, err := c.openTrader(ctx, s, d, journal)
		c.mask = masker{peer.NewMask(append(secrets, more...))}
		if err != nil {
			return nil, err
		}
		s.addTrades(trades)
		secrets = append(secrets, more...)
	}
	c.mask = masker{peer.NewMask(secrets)}
	s.mask, s.reader.mask = c.mask, c.mask
	for _, r := range picked {
		s.addRead(r)
	}
	return s, nil
}

// openState opens the journal in the folder, which locks it: no other process counts there.
func (c *config) openState(s *service) (wallet.Journal, error) {
	info, err := os.Stat(c.state)
	if err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("--state: %s must be a folder that only you can read: chmod 700 it", c.state)
	}
	journal, err := wallet.OpenFileJournal(filepath.Join(c.state, "wallet.journal"))
	if err != nil {
		return nil, fmt.Errorf("--state: %w: give each server a folder of its own", err)
	}
	s.close = append(s.close, journal.Close)
	return journal, nil
}

func (c *config) instructions() string {
	if c.trades {
		return instructions + tradeInstructions
	}
	return instructions
}
