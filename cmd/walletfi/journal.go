package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/wallet"
)

const journalLong = `journal looks into the file of a wallet's journal (wallet.OpenFileJournal). It changes
nothing, takes no lock, and may be used while a wallet has the file open: it shows what is
on disk when it begins. The file is --journal, or the variable WALLETFI_JOURNAL.`

const journalVariable = "WALLETFI_JOURNAL"

func newJournal(s streams) *cobra.Command {
	return group(&cobra.Command{
		Use: "journal", Short: "Look into a wallet's journal: a payment, its evidence, the whole file",
		Long: journalLong,
	}, newJournalShow(s), newJournalList(s), newJournalVerify(s))
}

// journal is the flags of the commands that read entries.
type journal struct {
	streams

	path   string
	asJSON bool
	open   bool
}

func (j *journal) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&j.path, "journal", "", "the journal's `file`, by default $"+journalVariable)
	cmd.Flags().BoolVar(&j.asJSON, "json", false, "print JSON")
}

// read opens the journal.
func (j *journal) read() (*wallet.JournalReader, error) {
	if j.path == "" {
		j.path = os.Getenv(journalVariable)
	}
	if j.path == "" {
		return nil, usage("--journal: a file is needed, here or in the variable %s", journalVariable)
	}
	reader, err := wallet.ReadFileJournal(j.path)
	return reader, as(statusMalformed, err)
}

func newJournalShow(s streams) *cobra.Command {
	j := &journal{streams: s}
	cmd := &cobra.Command{
		Use: "show KEY", Short: "Show what a journal has of a payment, and the evidence",
		Long: `show prints what the journal has of a payment: what was asked for, the state of each
transaction, where it was executed or what nodes have shown of it, and what is missing if
nobody knows yet. KEY is the one that the payment was executed under, or an entry's own,
as list prints it for a payment without a key.`,
		Example: "  walletfi journal show --journal payments.journal order-42",
		Args:    oneKey,
		RunE:    func(cmd *cobra.Command, args []string) error { return j.entry(cmd.Context(), args[0], j.show) },
	}
	j.flags(cmd)
	return cmd
}

func newJournalList(s streams) *cobra.Command {
	j := &journal{streams: s}
	cmd := &cobra.Command{
		Use: "list", Short: "List the keys of a journal, the oldest first",
		Long:    "list prints a line for each entry: its state, since when, and its key.",
		Example: "  walletfi journal list --open --journal payments.journal",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return j.list(cmd.Context()) },
	}
	j.flags(cmd)
	cmd.Flags().BoolVar(&j.open, "open", false, "only what is not settled")
	return cmd
}

func newJournalVerify(s streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "verify FILE", Short: "Hold all of a journal against its hashes",
		Long: `verify reads all of a journal and holds every frame against its checksum and the hash in
the next, the settled entries against their index, and the whole against FILE.head. If
something was cut out, changed, moved or put back, the status is 4.`,
		Example: "  walletfi journal verify payments.journal",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			check, err := wallet.VerifyFileJournal(args[0])
			if err != nil && check.Damage == nil {
				return as(statusMalformed, err)
			}
			if asJSON {
				return errors.Join(s.printJSON(check), as(statusMalformed, err))
			}
			if err != nil {
				return as(statusMalformed, err)
			}
			fmt.Fprintf(s.out, "%s: schema %d, entries %d, open %d, frames %d, bytes %d, no damage\n",
				plain(args[0]), check.Schema, check.Entries, check.Open, check.Frames, check.Bytes)
			if check.Torn > 0 {
				fmt.Fprintf(s.out,
					"the last %d bytes are of a frame that is being written, or that a crash cut short\n", check.Torn)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (j *journal) show(e wallet.Entry) error {
	if j.asJSON {
		return j.printJSON(e)
	}
	showEntry(j.out, e)
	return nil
}

// listed is an entry as --json lists it, one on a line. Members may be added from version
// to version, and none is changed or removed.
type listed struct {
	Key   string          `json:"key"`
	State wallet.KeyState `json:"state"`
	Since time.Time       `json:"since"`
}

func (j *journal) list(ctx context.Context) error {
	reader, err := j.read()
	if err != nil {
		return err
	}
	defer reader.Close()
	line := json.NewEncoder(j.out)
	for e, err := range reader.List(ctx, wallet.Query{Open: j.open}) {
		if err == nil {
			err = ctx.Err()
		}
		switch {
		case err != nil:
			return as(statusMalformed, err)
		case e.Ledger != nil || e.Spend != nil: // no payment
		case j.asJSON:
			err = line.Encode(listed{keyOf(e), e.State, e.Since})
		default:
			_, err = fmt.Fprintf(j.out, "%-9s  %s  %s\n", e.State, timeOf(e.Since), plain(keyOf(e)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s streams) printJSON(value any) error {
	e := json.NewEncoder(s.out)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

var errNoKey = errors.New("a KEY is needed")

func oneKey(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return as(statusUsage, errNoKey)
	}
	return atMostOne(cmd, args)
}
