package program

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/internal/reconcile"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

// unread is an error for which the exit status is 2.
type unread struct{ error }

func (u unread) Unwrap() error { return u.error }

// statusOf is the exit status of an error.
func statusOf(err error) int {
	if _, ok := errors.AsType[unread](err); ok {
		return 2
	}
	return 1
}

// reconciling are the flags of reconcile.
type reconciling struct {
	journals []string
	nodes    string
	since    time.Duration
	settled  time.Duration
}

func newReconcile() *cobra.Command {
	var f reconciling
	const short = "Compare the log, the chain and wallets' journals: the status is 1 if they differ, 2 if one is not read"
	c := newCommand("reconcile", short, cobra.NoArgs, func(c *cobra.Command, _ []string) error {
		report, err := f.compare(c)
		if err != nil {
			return unread{err}
		}
		for _, line := range append(report.Open, report.Differences...) {
			fmt.Fprintln(c.OutOrStdout(), line)
		}
		fmt.Fprintf(c.OutOrStdout(), "reconcile: landed=%d signed=%d payments=%d differences=%d\n",
			report.Landed, report.Signed, report.Payments, len(report.Differences))
		if n := len(report.Differences); n > 0 {
			return fmt.Errorf("%d differences", n)
		}
		return nil
	})
	const journal = "a wallet's journal: the file, or its entries as JSON; of each wallet that the signer signs for"
	c.Flags().StringArrayVar(&f.journals, "journal", nil, journal)
	c.Flags().StringVar(&f.nodes, "nodes", "nodes.txt", "the file with the URLs of the nodes to ask")
	c.Flags().DurationVar(&f.since, "since", 24*time.Hour, "from how long ago on")
	const settled = "what was signed within so long may still be open, and is left to the next time"
	c.Flags().DurationVar(&f.settled, "settled", 10*time.Minute, settled)
	return c
}

// compare reads the books, the log after the chain: what has landed it has.
func (f *reconciling) compare(c *cobra.Command) (report reconcile.Report, err error) {
	now, admin := time.Now(), on(c)
	defer admin.Close()
	b := reconcile.Books{
		Log: &reconcile.Log{}, Open: map[string]string{}, Since: now.Add(-f.since), Until: now.Add(-f.settled),
	}
	var owners []protocol.Owner
	if err := admin.Get(c.Context(), protocol.PathOwners, &owners); err != nil {
		return report, err
	}
	var keys []signing.PublicKey
	known := map[string]bool{}
	for _, o := range owners {
		key, err := signing.ParsePublicKey(o.Key)
		if err != nil {
			return report, err
		}
		keys, known[o.Key] = append(keys, key), true
	}
	for _, path := range f.journals {
		payments, err := reconcile.Journal(c.Context(), path, known)
		if err != nil {
			return report, fmt.Errorf("%s: %w", path, err)
		}
		b.Payments = append(b.Payments, payments...)
	}
	var first []signer.Entry
	if err := admin.Get(c.Context(), protocol.PathLog, &first); err != nil {
		return report, err
	}
	begins := slices.IndexFunc(first, func(e signer.Entry) bool { return reconcile.Timed(e.At) })
	if begins >= 0 && first[begins].At.After(b.Since) {
		b.Since = first[begins].At.Add(-time.Minute) // before that the signer had no key
	}
	nodes, err := readNodes(f.nodes)
	if err != nil {
		return report, err
	}
	if b.Chain, err = reconcile.Chain(c.Context(), nodes, keys, b.Since); err != nil {
		return report, err
	}
	var open []signer.OpenMessage
	if err := admin.Get(c.Context(), protocol.PathLive, &open); err != nil {
		return report, err
	}
	for _, m := range open {
		b.Open[m.ID] = m.Missing
	}
	if err := admin.Log(c.Context(), b.Log.Take); err != nil {
		return report, err
	}
	return b.Compare(), nil
}
