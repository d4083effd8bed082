package rpcnode

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var (
	_ walletfi.EffectsReader = (*Client)(nil)
	_ walletfi.EffectsReader = (*Pool)(nil)
)

// landed is the answer to getTransaction.
type landed struct {
	Slot        *uint64     `json:"slot"`
	Transaction []string    `json:"transaction"` // text, encoding
	Meta        *landedMeta `json:"meta"`
}

type landedMeta struct {
	Err    json.RawMessage `json:"err"` // absent says nothing, null says success
	Fee    *uint64         `json:"fee"`
	Pre    []*uint64       `json:"preBalances"`
	Post   []*uint64       `json:"postBalances"`
	PreOf  []holding       `json:"preTokenBalances"`
	PostOf []holding       `json:"postTokenBalances"`
	Units  units           `json:"computeUnitsConsumed"`
	Loaded *struct {
		Writable []string `json:"writable"`
		Readonly []string `json:"readonly"`
	} `json:"loadedAddresses"`
}

// units are the compute units that something used, 0 if the node does not say or says nonsense: no
// answer is refused for them.
type units uint64

// UnmarshalJSON reads a number.
func (u *units) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseUint(string(b), 10, 64)
	if *u = 0; err == nil {
		*u = units(n)
	}
	return nil
}

// Effects returns what a transaction has changed: getTransaction, at confirmed or, if
// that is the client's commitment, finalized. The answer must hold the transaction
// itself, every balance before and after, and every address that it loaded from
// lookup tables, its lamports must add up, and its fee payer must have had the fee;
// otherwise the error is [walletfi.ErrDecode]. If the node does not have the
// transaction, the error is [walletfi.ErrNotFound].
func (c *Client) Effects(ctx context.Context, signature string) (*walletfi.Effects, error) {
	want, err := parseSignature(signature)
	if err != nil {
		return nil, err
	}
	answer, err := getTransaction[landed](ctx, c, want, c.settled(), walletfi.ErrNotFound)
	if err != nil {
		return nil, err
	}
	effects, problem := answer.effects(signing.Signature(want))
	if problem != "" {
		return nil, &Error{Method: "getTransaction", Message: problem, Kind: walletfi.ErrDecode}
	}
	return effects, nil
}

// Effects asks a healthy node: see Client.Effects.
func (p *Pool) Effects(ctx context.Context, signature string) (*walletfi.Effects, error) {
	return try(
		ctx, p, func(ctx context.Context, c *Client) (*walletfi.Effects, error) { return c.Effects(ctx, signature) },
	)
}

// effects reads an answer, or says what is wrong with it.
func (l *landed) effects(want signing.Signature) (e *walletfi.Effects, problem string) {
	switch m := l.Meta; {
	case l.Slot == nil || len(l.Transaction) != 2 || l.Transaction[1] != "base64":
		return nil, "the answer lacks the transaction or its slot"
	case m == nil || len(m.Err) == 0 || m.Fee == nil || m.PreOf == nil || m.PostOf == nil:
		return nil, "the answer does not say what the transaction did"
	}
	raw, err := base64.StdEncoding.DecodeString(l.Transaction[0])
	if err != nil {
		return nil, "the transaction is not base64"
	}
	tx, err := signing.DecodeBytes(raw)
	if err != nil || tx.Signature() != want {
		return nil, "the answer is not the transaction that was asked for"
	}
	keys, problem := l.Meta.keys(tx)
	if problem != "" {
		return nil, problem
	}
	e = &walletfi.Effects{
		Signature: want.String(), Slot: *l.Slot, FeePayer: keys[0], Fee: walletfi.Amount(*l.Meta.Fee),
		Units:    uint64(l.Meta.Units),
		Lamports: []walletfi.LamportChange{},
	}
	if string(l.Meta.Err) != "null" {
		e.Err = string(l.Meta.Err)
	}
	if problem := l.Meta.lamports(e, keys); problem != "" {
		return nil, problem
	}
	if e.Tokens, problem = tokenChanges(l.Meta.PreOf, l.Meta.PostOf, keys, e); problem != "" {
		return nil, problem
	}
	if e.Err != "" && (len(e.Tokens) > 0 || len(e.Lamports) > 1 || e.Lamport(keys[0]).Lost() != e.Fee) {
		return nil, "a transaction that failed changed more than the fee"
	}
	return e, ""
}

// keys lists the addresses of the transaction, those from lookup tables last, as
// balances are numbered.
func (m *landedMeta) keys(tx *signing.Transaction) (all []string, problem string) {
	for _, k := range tx.AccountKeys() {
		all = append(all, k.String())
	}
	writable, readonly := 0, 0
	for _, l := range tx.Lookups() {
		writable, readonly = writable+len(l.Writable), readonly+len(l.Readonly)
	}
	if m.Loaded != nil {
		if len(m.Loaded.Writable) != writable || len(m.Loaded.Readonly) != readonly {
			return nil, "the loaded addresses are not as many as the transaction loads"
		}
		all = append(append(all, m.Loaded.Writable...), m.Loaded.Readonly...)
	} else if writable+readonly > 0 {
		return nil, "the loaded addresses are missing"
	}
	seen := map[string]bool{}
	for _, k := range all {
		if _, err := signing.ParsePublicKey(k); err != nil || seen[k] {
			return nil, fmt.Sprintf("%.50q is no address, or is there twice", k)
		}
		seen[k] = true
	}
	return all, ""
}

// lamports reads the lamports. A transaction makes none and loses none but the fee.
func (m *landedMeta) lamports(e *walletfi.Effects, keys []string) (problem string) {
	if len(m.Pre) != len(keys) || len(m.Post) != len(keys) {
		return fmt.Sprintf("%d and %d balances for %d accounts", len(m.Pre), len(m.Post), len(keys))
	}
	before, after := uint64(0), *m.Fee
	for i, account := range keys {
		if m.Pre[i] == nil || m.Post[i] == nil {
			return fmt.Sprintf("account %d lacks a balance", i)
		}
		was, is := *m.Pre[i], *m.Post[i]
		if before+was < before || after+is < after {
			return "the balances are more lamports than there are"
		}
		before, after = before+was, after+is
		if was != is {
			change := walletfi.Change{Before: walletfi.Amount(was), After: walletfi.Amount(is)}
			e.Lamports = append(e.Lamports, walletfi.LamportChange{Account: account, Change: change})
		}
	}
	if *m.Pre[0] < max(*m.Fee, 1) { // an account without a lamport does not exist
		return "the fee payer could not pay the fee"
	}
	if before != after {
		return "the lamports before are not those after and the fee"
	}
	return ""
}
