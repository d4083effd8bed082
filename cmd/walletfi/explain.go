package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

const explainLong = `explain reads transactions, says what they do, and asks the guard whether it would
sign them. It signs nothing and sends nothing.

A transaction is base64 or base58 text, or a FILE or standard input with such text,
one transaction per line. Several are one set: caps hold over all of it. A file may
also hold the JSON of a builder's answer (walletfi.Unsigned), which has its intent.

Without a stated intent, the transaction is held against one that spends nothing: the
refusal then says what it does. State what was asked for with --intent, or in short
with --owner, --service, --pin, --spend and the like, which add to the file's. Amounts
are in smallest units; a MINT of SOL is SOL.

No network is used unless --node asks for it: the node at the URL in the variable
WALLETFI_NODE_URL then reads lookup tables and mints and simulates.`

const explainExample = `  walletfi explain --service lending --pin 7q6h... --spend EPjF...:25500000 AQAB...
  walletfi explain unsigned.json --policy policy.json --json
  pbpaste | walletfi explain`

// explain is the command's flags.
type explain struct {
	streams

	files      []string
	encoding   string
	asJSON     bool
	intentFile string
	policyFile string
	quick      quick
	node       bool
	nodeFile   string
	height     uint64
	nonce      string
	idlFolder  string
	idls       *signing.IDLs
}

func newExplain(s streams) *cobra.Command {
	e := &explain{streams: s}
	cmd := &cobra.Command{
		Use: "explain [TRANSACTION | FILE]...", Short: "Say what a transaction does and whether the guard would sign it",
		Long: explainLong, Example: explainExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.run(cmd.Context(), cmd.Flags().Changed("owner"), args)
		},
	}
	f := cmd.Flags()
	f.StringArrayVarP(&e.files, "file", "f", nil,
		"read transactions from this `file`, - for standard input; may be repeated")
	f.StringVar(&e.encoding, "encoding", "auto", "auto, base64 or base58")
	f.BoolVar(&e.asJSON, "json", false, "print JSON")
	f.StringVar(&e.intentFile, "intent", "", "what was asked for: a `file` with the JSON of walletfi.Intent")
	f.StringVar(&e.policyFile, "policy", "", "what is allowed besides: a JSON `file`, see the README")
	f.BoolVar(&e.node, "node", false, "ask the node at $WALLETFI_NODE_URL: lookup tables, mints, simulation")
	f.StringVar(&e.nodeFile, "node-file", "", "the same, with the URL in a `file` that only you can read")
	f.Uint64Var(&e.height, "block-height", 0, "the ledger's block `height`: an expired transaction is refused")
	f.StringVar(&e.nonce, "nonce", "", "the durable nonce that was agreed on, `ACCOUNT:VALUE`")
	f.StringVar(&e.idlFolder, "idl", "", "a `folder` of Anchor IDL files, which name instructions; they prove nothing")
	e.quick.flags(f)
	offer(cmd, "encoding", encodings...)
	offer(cmd, "service", services...)
	return cmd
}

func (e *explain) run(ctx context.Context, hasOwner bool, args []string) error {
	set, stated, err := e.read(args)
	if err != nil {
		return err
	}
	txs, err := signing.DecodeAll(set)
	if err != nil {
		return &statusError{statusMalformed, unreadable(err)}
	}
	if stated, err = e.intent(&set.Intent, stated, hasOwner); err != nil {
		return err
	}
	if set.Intent.Owner == "" {
		set.Intent.Owner = txs[0].FeePayer().String()
	}
	guard, err := e.guard(set.Intent.Service)
	if err != nil {
		return err
	}
	options, err := e.options()
	if err != nil {
		return err
	}
	_, report, err := guard.CheckSet(ctx, set, options...)
	if err != nil && !errors.Is(err, signing.ErrRefused) {
		return checkError(err)
	}
	if report == nil { // a set that is refused before any of it is judged
		return err
	}
	show := e.showText
	if e.asJSON {
		show = e.showJSON
	}
	if e := show(txs, set.Intent, report); e != nil {
		return e
	}
	return refusal(err, stated)
}

// options are what the caller knows of the ledger.
func (e *explain) options() (all []signing.Option, err error) {
	if e.height > 0 {
		all = append(all, signing.AtBlockHeight(e.height))
	}
	if e.nonce == "" {
		return all, nil
	}
	account, value, _ := strings.Cut(e.nonce, ":")
	var n signing.Nonce
	if n.Account, err = signing.ParsePublicKey(account); err != nil {
		return nil, usage("--nonce: %q is not of the form ACCOUNT:VALUE", e.nonce)
	}
	if n.Value, err = signing.ParsePublicKey(value); err != nil {
		return nil, usage("--nonce: %q is not of the form ACCOUNT:VALUE", e.nonce)
	}
	return append(all, signing.WithNonce(n)), nil
}

// intent completes the intent of the set, and reports whether anything was asked for.
func (e *explain) intent(intent *walletfi.Intent, stated, hasOwner bool) (bool, error) {
	if e.intentFile != "" {
		if stated {
			return true, usage("--intent: the file of the transactions has an intent already")
		}
		b, err := e.readFile(e.intentFile, mostText)
		if err != nil {
			return true, err
		}
		if err := strictJSON(e.intentFile, b, intent); err != nil {
			return true, err
		}
		stated = true
	}
	if hasOwner && intent.Owner != "" && intent.Owner != e.quick.owner {
		return stated, usage("--owner: the intent is %s's", intent.Owner)
	}
	added, err := e.quick.addTo(intent)
	return stated || added, err
}

// checkError gives the status of an error of the guard that is no refusal.
func checkError(err error) error {
	var invalid *walletfi.ValidationError
	if errors.As(err, &invalid) {
		return as(statusMalformed, err)
	}
	// A resolver or a simulator.
	return as(statusNetwork, fmt.Errorf("%w: is --node-file or $%s the right node?", err, nodeVariable))
}
