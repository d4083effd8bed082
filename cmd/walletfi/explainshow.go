package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// shape describes the bytes of a transaction, unjudged.
type shape struct {
	Version      string             `json:"version"`
	Bytes        int                `json:"bytes"`
	FeePayer     signing.PublicKey  `json:"feePayer"`
	Blockhash    signing.PublicKey  `json:"blockhash"`
	Signers      []signer           `json:"signers"`
	Instructions []instruction      `json:"instructions"`
	Lookups      []lookup           `json:"lookups,omitempty"`
	Config       *signing.Config    `json:"config,omitempty"`
	Signature    *signing.Signature `json:"signature,omitempty"` // the first, if there is one
}

type signer struct {
	Address signing.PublicKey `json:"address"`
	State   string            `json:"state"` // missing, valid or invalid
}

type instruction struct {
	Program  signing.PublicKey `json:"program"`
	Name     string            `json:"name"`
	Calls    string            `json:"calls,omitempty"` // the instruction, as an IDL file of --idl names it
	Accounts int               `json:"accounts"`
	Bytes    int               `json:"bytes"`
}

type lookup struct {
	Table  signing.PublicKey `json:"table"`
	Loaded int               `json:"loaded"`
}

func shapeOf(tx *signing.Transaction, idls *signing.IDLs) shape {
	s := shape{Version: tx.Version().String(), Bytes: tx.Len(), FeePayer: tx.FeePayer(), Blockhash: tx.Blockhash()}
	slots := tx.Signatures()
	for i, key := range tx.Signers() {
		state := "missing"
		if slots[i].Verify(key, tx.Message()) {
			state = "valid"
		} else if !slots[i].IsZero() {
			state = "invalid"
		}
		s.Signers = append(s.Signers, signer{key, state})
	}
	for _, ins := range tx.Instructions() {
		s.Instructions = append(s.Instructions,
			instruction{ins.Program, signing.ProgramName(ins.Program), idls.Instruction(ins.Program, ins.Data),
				len(ins.Accounts), len(ins.Data)})
	}
	for _, table := range tx.Lookups() {
		s.Lookups = append(s.Lookups, lookup{table.Table, len(table.Writable) + len(table.Readonly)})
	}
	if config, ok := tx.Config(); ok {
		s.Config = &config
	}
	if first := tx.Signature(); !first.IsZero() {
		s.Signature = &first
	}
	return s
}

// explained is the output of --json. Members may be added from version to version,
// and none is changed or removed.
type explained struct {
	Passes       bool            `json:"passes"`
	Transactions []shape         `json:"transactions"`
	Intent       walletfi.Intent `json:"intent"`
	Report       *signing.Report `json:"report"`
	Unseen       []string        `json:"unseen"` // what the check could not see, in words
}

func (e *explain) showJSON(txs []*signing.Transaction, intent walletfi.Intent, report *signing.Report) error {
	all := explained{Passes: report.Refusal == nil, Intent: intent, Report: report, Unseen: report.Unseen()}
	for _, tx := range txs {
		all.Transactions = append(all.Transactions, shapeOf(tx, e.idls))
	}
	out := json.NewEncoder(e.out)
	out.SetIndent("", "  ")
	return out.Encode(all)
}

// showText prints the report, as a page shows it, and then what the transactions are made of.
func (e *explain) showText(txs []*signing.Transaction, _ walletfi.Intent, report *signing.Report) error {
	fmt.Fprint(e.out, report.Text())
	if report.Refusal == nil {
		fmt.Fprintln(e.out, "The guard would sign this.")
	}
	for _, tx := range txs {
		shapeOf(tx, e.idls).show(e.out)
	}
	return nil
}

func (s shape) show(out io.Writer) {
	fmt.Fprintf(out, "\n%s transaction, %d bytes, blockhash %s\n", s.Version, s.Bytes, s.Blockhash)
	for _, signer := range s.Signers {
		state := map[string]string{
			"missing": "has not signed",
			"valid":   "has signed",
			"invalid": "has a signature that is not valid",
		}[signer.State]
		fmt.Fprintf(out, "  signer   %s %s\n", signer.Address, state)
	}
	for i, ins := range s.Instructions {
		name := ins.Name
		if ins.Calls != "" {
			name += fmt.Sprintf(", which its IDL file calls %q", ins.Calls)
		}
		fmt.Fprintf(out, "  %-8d %s, accounts %d, bytes %d\n", i+1, name, ins.Accounts, ins.Bytes)
	}
	for _, table := range s.Lookups {
		fmt.Fprintf(out, "  table    %s loads %d\n", table.Table, table.Loaded)
	}
	if s.Config != nil {
		fmt.Fprintf(out, "  config   priority fee %d lamports, units %d, heap %d bytes\n",
			s.Config.PriorityFeeLamports, s.Config.ComputeUnitLimit, s.Config.HeapBytes)
	}
}
