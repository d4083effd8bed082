package program

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer"
	"golang.org/x/sync/errgroup"
)

// serving are the flags of serve.
type serving struct {
	policy, store, anchor, logKey, socket string
	ageKeys, agents                       []string
	nodes, identity, accept, seed         string
	listen, cert, key, clients            string
	webhook, metrics                      string
	backends                              []Backend
	pricing                               pricing
	approvals                             []string
	page                                  paging
}

// tlsClients says what --tls-clients is.
const tlsClients = "the certificates of who issues the clients', or of those that sign themselves, PEM"

func newServe(backends []Backend) *cobra.Command {
	f := serving{backends: backends}
	c := newCommand("serve", "Serve the policy's clients on a Unix socket", cobra.NoArgs, f.run)
	f.opens(c)
	c.Flags().StringVar(&f.webhook, "webhook", "", "a file with a URL to post each grant to that a client asks for")
	c.Flags().StringVar(&f.listen, "listen", "", "a TCP address to serve clients on that have a certificate")
	c.Flags().StringVar(&f.cert, "tls-cert", "", "the signer's certificate for that, PEM")
	c.Flags().StringVar(&f.key, "tls-key", "", "the key of the certificate, PEM")
	c.Flags().StringVar(&f.clients, "tls-clients", "", tlsClients)
	c.Flags().StringVar(&f.metrics, "metrics", "", "an address, or the path of a Unix socket, to serve /metrics on")
	f.page.flags(c.Flags())
	return c
}

// opens adds the flags of config.
func (f *serving) opens(c *cobra.Command) {
	c.Flags().StringVar(&f.policy, "policy", "policy.toml", "the policy")
	c.Flags().StringVar(&f.store, "store", "signer.db", "the store, which is created if it is not there")
	c.Flags().StringVar(&f.anchor, "anchor", "signer.anchor", "the log's anchor: keep it out of the store's backups")
	c.Flags().StringVar(&f.logKey, "log-key", "log.key", "the key that signs the log, see init")
	c.Flags().StringArrayVar(&f.ageKeys, "age-key", nil, "a key that age has encrypted")
	c.Flags().StringVar(&f.identity, "age-identity", "", "the file with the identity that decrypts the age keys")
	c.Flags().StringVar(&f.seed, "seed-key", "", "a key that age has encrypted, of which owners are derived at run time")
	c.Flags().StringArrayVar(&f.agents, "agent", nil, "the socket of an OpenSSH agent that holds keys of owners")
	c.Flags().StringVar(&f.nodes, "nodes", "nodes.txt", "a file with the URL of a node a line, of another provider each")
	c.Flags().StringVar(&f.accept, "accept-policy", "", "the fingerprint of a policy that takes the place of the store's")
	const approval = "a file with an approver's signature of the change to that policy, see approve-policy"
	c.Flags().StringArrayVar(&f.approvals, "approval", nil, approval)
	f.pricing.flags(c.Flags())
	for _, b := range f.backends {
		b.Flags(c.Flags())
	}
}

// config reads what a signer is opened with.
func (f *serving) config(c *cobra.Command) (cfg signer.Config, err error) {
	cfg = signer.Config{Store: f.store, Anchor: f.anchor, Accept: f.accept}
	if cfg.Policy, err = signer.LoadPolicy(f.policy); err != nil {
		return cfg, err
	}
	if cfg.LogKey, err = readLogKey(f.logKey); err != nil {
		return cfg, err
	}
	if cfg.Shared, err = shared(c.Context(), f.backends); err != nil {
		return cfg, err
	}
	if cfg.Shared != nil {
		cfg.Store = ""
	}
	for _, path := range f.approvals {
		text, err := os.ReadFile(path)
		if err != nil {
			return cfg, err
		}
		cfg.Approvals = append(cfg.Approvals, string(text))
	}
	if err := f.keys(c, &cfg); err != nil {
		return cfg, err
	}
	if cfg.Prices, err = f.pricing.sources(); err != nil {
		return cfg, err
	}
	cfg.Nodes, err = readNodes(f.nodes)
	return cfg, err
}

func (f *serving) run(c *cobra.Command, _ []string) error {
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	f.socket = c.Flag("socket").Value.String()
	cfg, err := f.config(c)
	if err != nil {
		return err
	}
	var watching sync.WaitGroup
	if f.webhook != "" {
		told, err := newTeller(f.webhook, c.ErrOrStderr())
		if err != nil {
			return err
		}
		cfg.Asked, told.page = told.asked, cfg.Policy.Page
		watching.Go(func() { told.run(ctx) })
	}
	s, err := signer.Open(ctx, cfg)
	if err != nil {
		return err
	}
	watching.Go(func() { s.Watch(ctx) })
	fmt.Fprintf(c.OutOrStdout(), "serving %s under policy %s\n", f.socket, cfg.Policy.Fingerprint())
	if cfg.Policy.ReportOnly {
		fmt.Fprintln(c.OutOrStdout(), "it only reports: no ceiling is enforced")
	}
	err = f.serve(ctx, s, c.OutOrStdout(), c.ErrOrStderr())
	stop()
	watching.Wait()
	return errors.Join(err, s.Close())
}

// serve serves until ctx ends, or one of the ways to be asked does.
func (f *serving) serve(ctx context.Context, s *signer.Signer, out, errs io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	all, ctx := errgroup.WithContext(ctx)
	err := f.begin(ctx, all, s, out, errs)
	if err != nil {
		stop()
	}
	return errors.Join(err, all.Wait())
}

// begin begins each of the ways to be asked.
func (f *serving) begin(ctx context.Context, all *errgroup.Group, s *signer.Signer, out, errs io.Writer) error {
	w := &watched{Signer: s, files: map[string]string{"store": f.store, "anchor": f.anchor}}
	if f.page.address != "" {
		servePage, err := f.page.open(s, out)
		if err != nil {
			return err
		}
		all.Go(func() error { return servePage(ctx) })
	}
	if f.listen != "" {
		c := &certificates{cert: f.cert, key: f.key, clients: f.clients}
		if err := c.load(); err != nil {
			return err
		}
		w.certificates = c.all
		listener, err := net.Listen("tcp", f.listen)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "serving clients with a certificate at %s\n", listener.Addr())
		all.Go(func() error { return s.ServeTLSFunc(ctx, listener, c.current.Load) })
		all.Go(func() error { return c.watch(ctx, out, errs) })
	}
	if f.metrics != "" {
		listener, err := listenMetrics(f.metrics)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "serving metrics at %s\n", listener.Addr())
		all.Go(func() error { return serveMetrics(ctx, listener, w) })
	}
	all.Go(func() error { return s.ServeUnix(ctx, f.socket) })
	return nil
}

// keys loads the keys of the policy's owners. An agent may hold others too.
func (f *serving) keys(c *cobra.Command, cfg *signer.Config) error {
	identities, err := f.identities()
	if err != nil {
		return err
	}
	if f.seed != "" {
		key, err := signer.AgeKey(f.seed, identities...)
		if err != nil {
			return err
		}
		cfg.Seed = key
	}
	for _, path := range f.ageKeys {
		key, err := signer.AgeKey(path, identities...)
		if err != nil {
			return err
		}
		cfg.Keys = append(cfg.Keys, key)
	}
	for _, socket := range f.agents {
		held, err := signer.AgentKeys(c.Context(), socket)
		if err != nil {
			return err
		}
		for _, key := range held {
			if slices.ContainsFunc(cfg.Policy.Owners, func(o signer.Owner) bool { return o.Key == key.PublicKey() }) {
				cfg.Keys = append(cfg.Keys, key)
			}
		}
	}
	for _, b := range f.backends {
		held, err := b.Keys(c.Context(), cfg.Policy)
		if err != nil {
			return err
		}
		cfg.Keys = append(cfg.Keys, held...)
	}
	return nil
}

// identities decrypt the keys.
func (f *serving) identities() ([]age.Identity, error) {
	if f.identity == "" {
		return nil, nil
	}
	file, err := os.Open(f.identity)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return age.ParseIdentities(file)
}

// readNodes reads URLs from a file, not from flags, which other users see: a URL may hold a key.
func readNodes(path string) (all []signer.Node, err error) {
	urls, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for _, url := range strings.Fields(string(urls)) {
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(url)})
		if err != nil {
			return nil, err
		}
		all = append(all, node)
	}
	if len(all) == 0 { // by none of which nothing would be found
		return nil, fmt.Errorf("%s has no URL of a node", path)
	}
	return all, nil
}

func readLogKey(path string) (ed25519.PrivateKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others: chmod 600 it", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s is not a key of init's", path)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}
