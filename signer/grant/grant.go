// Package grant has what people approve before a signer signs: a Grant, the text of it that they
// read, and their signatures under that text. It needs no signer, so that an approver's own machine
// renders what is approved.
package grant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
)

// Grant allows a client to have one set of transactions signed. It is no transaction: a blockhash
// lives for a minute, and people take longer. It never allows what the signer's policy does not.
type Grant struct {
	// ID is the grant's, 32 hexadecimal digits. No two are the same.
	ID string `json:"id"`
	// Signer is the public key of the signer's log, and Policy the fingerprint of its policy,
	// both in hexadecimal. Under another policy the grant allows nothing.
	Signer string `json:"signer"`
	Policy string `json:"policy"`
	// Client is who may use it, Owner the name of whose key signs, and Key that key, base58.
	Client string `json:"client"`
	Owner  string `json:"owner"`
	Key    string `json:"key"`
	// Service is the package of the service that has built the transactions, empty if none has.
	Service string `json:"service"`
	// Most lists the mints that may leave the owner, besides the fees, and how much. No other may.
	Most []Amount `json:"most"`
	// Fees are the most of the costs of the whole set.
	Fees Fees `json:"fees"`
	// Payees are the addresses that may be paid, base58, and Calls the programs that may be called
	// of those that the policy pins.
	Payees []string `json:"payees"`
	Calls  []Call   `json:"calls"`
	// Sweep says whose key is changed, if the grant is for that.
	Sweep string `json:"sweep,omitempty"`
	// Reason is the client's, and nobody has checked it.
	Reason string `json:"reason"`
	// Made is when it was asked for, and Expires from when on it allows nothing.
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"`
	// Needs is how many approvers must have signed.
	Needs int `json:"needs"`
}

// Amount is an amount of a mint.
type Amount struct {
	Mint   string          `json:"mint"` // base58
	Amount walletfi.Amount `json:"amount"`
}

// Fees are costs, in lamports.
type Fees struct {
	Network     walletfi.Amount `json:"network"`      // base and priority fees
	Tip         walletfi.Amount `json:"tip"`          // to a relay
	Rent        walletfi.Amount `json:"rent"`         // of accounts for the owner
	ForeignRent walletfi.Amount `json:"foreign_rent"` // of token accounts for others
}

// Call is an instruction of a program.
type Call struct {
	Program string `json:"program"` // base58
	// Instruction has the first bytes of its data, up to 8, in hexadecimal. Empty for a call
	// without data.
	Instruction string `json:"instruction"`
}

// Text returns the text that an approver reads and signs. It has every member of the grant on lines of its own,
// and no two grants have the same one. What others have written stands in quotes, as ASCII.
func (g *Grant) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("GRANT %+q of signer %+q, under policy %+q.", g.ID, g.Signer, g.Policy)
	line("Client %+q may have one set of transactions signed, once, until %+q,", g.Client, stamp(g.Expires))
	line("by owner %+q, whose key is %+q, built by service %+q.", g.Owner, g.Key, g.Service)
	if g.Sweep != "" {
		line("It is the %s, whose key is changed: it goes there alone.", ascii(g.Sweep))
	}
	line("At most this leaves the owner:")
	for _, a := range g.Most {
		line("- %s", a.text())
	}
	if len(g.Most) == 0 {
		line("- nothing")
	}
	line("At most this is paid besides: network fees %s, tips %s, rent %s, rent for others %s lamports.",
		g.Fees.Network, g.Fees.Tip, g.Fees.Rent, g.Fees.ForeignRent)
	line("It may go to:")
	for _, payee := range g.Payees {
		line("- %+q", payee)
	}
	if len(g.Payees) == 0 {
		line("- nobody")
	}
	line("These programs may be called:")
	for _, c := range g.Calls {
		line("- %+q, instruction %+q", c.Program, c.Instruction)
	}
	if len(g.Calls) == 0 {
		line("- none but those that move, make and close accounts as is shown above")
	} else {
		line("What they take was simulated. One that does otherwise can take all that it may write of the owner's,")
		line("as far as the policy exposes it, and pay that to anybody.")
	}
	line("The client's reason, which nobody has checked: %+q", g.Reason)
	line("Asked for at %+q. It needs %d approvers.", stamp(g.Made), g.Needs)
	return b.String()
}

// ascii writes words of the signer's on one line, in which others' names stand in quotes.
func ascii(words string) string {
	quoted := strconv.QuoteToASCII(words)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.999999999 UTC") }

func (a Amount) text() string {
	if a.Mint == walletfi.NativeMint {
		return fmt.Sprintf("%s lamports, which are %s SOL", a.Amount, sol(a.Amount))
	}
	return fmt.Sprintf("%s units of token %+q", a.Amount, a.Mint)
}

// sol is an amount of lamports in SOL.
func sol(lamports walletfi.Amount) string {
	const one = 1_000_000_000
	return fmt.Sprintf("%d.%09d", uint64(lamports)/one, uint64(lamports)%one)
}

// Allows reports that the grant lists an amount of a mint that is at least so great.
func (g *Grant) Allows(mint string, amount walletfi.Amount) bool {
	return slices.ContainsFunc(g.Most, func(a Amount) bool { return a.Mint == mint && amount <= a.Amount })
}
