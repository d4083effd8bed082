package takeover

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
)

// A lie is something that a node says and that is not so; several add up.
type lie int

const (
	nothingMoves lie = 1 << iota // simulations change nothing, and executions have no effects
	allGood                      // each blockhash is
	allDead                      // no blockhash is good at finality, and nothing was executed
	later                        // it is a day later
	otherTable                   // a lookup table has but a payee
	richer                       // nothing has left anyone's accounts
)

// A node shows the chain. One that lies says what lets most be signed, or be counted as gone.
type node struct {
	c    *chain
	name string
	lies lie
	hook func(what string) error // before each answer, nil for nothing
}

var (
	_ signer.Node          = (*node)(nil)
	_ signing.SetSimulator = (*node)(nil)
)

var errNode = errors.New("the node has nothing")

// enter locks the chain for an answer.
func (n *node) enter(what string) (leave func(), err error) {
	if n.hook != nil {
		if err := n.hook(what); err != nil {
			return nil, err
		}
	}
	n.c.mu.Lock()
	return n.c.mu.Unlock, nil
}

func (n *node) final() walletfi.Head {
	at := block(n.c.slot - finality)
	return walletfi.Head{Slot: at, Height: height(at)}
}

func (n *node) Identity() string                             { return n.name }
func (n *node) Genesis(context.Context) (string, error)      { return named("genesis").String(), nil }
func (n *node) BlockhashAge(context.Context) (uint64, error) { return age, nil }

func (n *node) FinalHead(context.Context) (walletfi.Head, error) {
	leave, err := n.enter("head")
	if err != nil {
		return walletfi.Head{}, err
	}
	defer leave()
	return n.final(), nil
}

func (n *node) FinalBlock(_ context.Context, slot uint64) (walletfi.Head, error) {
	leave, err := n.enter("block")
	if err != nil {
		return walletfi.Head{}, err
	}
	defer leave()
	if slot != block(slot) || slot > n.final().Slot {
		return walletfi.Head{}, errNode
	}
	return walletfi.Head{Slot: slot, Height: height(slot)}, nil
}

func (n *node) FinalTime(_ context.Context, slot uint64) (time.Time, error) {
	leave, err := n.enter("time")
	if err != nil {
		return time.Time{}, err
	}
	defer leave()
	if n.lies&later != 0 {
		return n.c.time(slot).Add(24 * time.Hour), nil
	}
	return n.c.time(slot), nil
}

func hash(text string) (k key) {
	k, _ = signing.ParsePublicKey(text)
	return k
}

func (n *node) BlockhashValid(_ context.Context, text string) (walletfi.BlockhashState, error) {
	leave, err := n.enter("blockhash")
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	defer leave()
	return walletfi.BlockhashState{Valid: n.lies&allGood != 0 || n.c.good(hash(text), n.c.slot+1), AsOfSlot: n.c.slot}, nil
}

func (n *node) BlockhashAt(_ context.Context, text string, from uint64) (walletfi.BlockhashState, error) {
	leave, err := n.enter("blockhash")
	if err != nil {
		return walletfi.BlockhashState{}, err
	}
	defer leave()
	at := n.final()
	if at.Slot < from {
		return walletfi.BlockhashState{}, errNode
	}
	return walletfi.BlockhashState{Valid: n.lies&allGood != 0 || n.lies&allDead == 0 && n.c.good(hash(text), at.Slot+1), AsOfSlot: at.Slot}, nil
}

func (n *node) BlockOf(_ context.Context, text string, near walletfi.Head) (walletfi.Head, error) {
	leave, err := n.enter("blockhash")
	if err != nil {
		return walletfi.Head{}, err
	}
	defer leave()
	at, ok := n.c.hashes[hash(text)]
	h := walletfi.Head{Slot: at, Height: height(at)}
	if !ok || at > n.final().Slot || h.Height+160 < near.Height || h.Height > near.Height+400 {
		return walletfi.Head{}, errNode
	}
	return h, nil
}

// status is the node's word on a signature.
func (n *node) status(text string) walletfi.SignatureStatus {
	s, err := signing.ParseSignature(text)
	e := n.c.done[s]
	if err != nil || e == nil || n.lies&allDead != 0 {
		return walletfi.SignatureStatus{}
	}
	out := walletfi.SignatureStatus{
		Found: true, Slot: e.slot, Err: e.err, Commitment: walletfi.CommitmentConfirmed,
	}
	if e.slot <= n.final().Slot {
		out.Commitment = walletfi.CommitmentFinalized
	}
	return out
}

func (n *node) statuses(texts []string) (all []walletfi.SignatureStatus) {
	for _, t := range texts {
		all = append(all, n.status(t))
	}
	return all
}

func (n *node) SignatureStatuses(_ context.Context, texts []string) (walletfi.SignatureStatuses, error) {
	leave, err := n.enter("status")
	if err != nil {
		return walletfi.SignatureStatuses{}, err
	}
	defer leave()
	return walletfi.SignatureStatuses{Statuses: n.statuses(texts), AsOfSlot: n.c.slot}, nil
}

func (n *node) SignatureStatus(ctx context.Context, text string) (walletfi.SignatureStatus, error) {
	got, err := n.SignatureStatuses(ctx, []string{text})
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return got.Statuses[0], nil
}

// Absence has a witness of each block, a vote that every block holds.
func (n *node) Absence(_ context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	leave, err := n.enter("absence")
	if err != nil {
		return nil, err
	}
	defer leave()
	final := n.final()
	if final.Height <= q.Last || final.Slot < q.Until.Slot || final.Slot-q.After.Slot > 100_000 {
		return nil, errNode
	}
	a := &walletfi.Absence{AsOfSlot: n.c.slot, Statuses: n.statuses(q.Signatures)}
	for slot := block(q.After.Slot); ; slot++ {
		if slot != block(slot) {
			continue
		}
		vote := named("vote", fmt.Sprint(slot))
		a.Witnesses = append(a.Witnesses, walletfi.Witness{
			Head:      walletfi.Head{Slot: slot, Height: height(slot)},
			Blockhash: n.c.hashOf(slot).String(), Signature: signing.Signature(append(vote[:], vote[:]...)).String(),
			Status: walletfi.SignatureStatus{Found: true, Slot: slot, Commitment: walletfi.CommitmentFinalized},
		})
		if height(slot) > q.Last {
			return a, nil
		}
	}
}

func (n *node) MessageAbsence(
	_ context.Context, q walletfi.AbsenceQuery, payer string, message []byte,
) (walletfi.FoundMessage, error) {
	leave, err := n.enter("absence")
	if err != nil {
		return walletfi.FoundMessage{}, err
	}
	defer leave()
	if n.final().Height <= q.Last || n.final().Slot < q.Until.Slot {
		return walletfi.FoundMessage{}, errNode
	}
	for _, e := range n.c.order {
		in := e.slot >= q.After.Slot && height(e.slot) <= q.Last && n.lies&allDead == 0
		if in && bytes.Equal(e.p.message, message) && e.p.metas[0].key.String() == payer {
			return walletfi.FoundMessage{Signature: e.signature.String()}, nil
		}
	}
	return walletfi.FoundMessage{}, nil
}

func (n *node) NonceAt(_ context.Context, text string, from uint64) (walletfi.NonceState, error) {
	leave, err := n.enter("nonce")
	if err != nil {
		return walletfi.NonceState{}, err
	}
	defer leave()
	a := n.c.accounts[hash(text)]
	if n.lies&allDead != 0 {
		return walletfi.NonceState{Value: named("another").String(), AsOfSlot: n.final().Slot}, nil
	}
	for _, e := range slices.Backward(n.c.order) {
		if was, touched := e.before[hash(text)]; touched && e.slot > n.final().Slot {
			a = was
		}
	}
	if len(a.data) != 80 || n.final().Slot < from {
		return walletfi.NonceState{}, errNode
	}
	return walletfi.NonceState{Value: key(a.data[40:72]).String(), AsOfSlot: n.final().Slot}, nil
}

func (n *node) NonceUse(_ context.Context, text, value string, since, until uint64) (walletfi.NonceUse, error) {
	leave, err := n.enter("nonce")
	if err != nil {
		return walletfi.NonceUse{}, err
	}
	defer leave()
	for _, e := range n.c.order {
		k, durable := n.c.nonce(e.p, e.before)
		within := e.slot > since && e.slot <= min(until, n.final().Slot)
		if within && durable && k.String() == text && e.p.blockhash.String() == value {
			return walletfi.NonceUse{Signature: e.signature.String()}, nil
		}
	}
	return walletfi.NonceUse{}, errNode
}

func (n *node) LookupTable(_ context.Context, table key) (signing.LookupTable, error) {
	leave, err := n.enter("table")
	if err != nil {
		return signing.LookupTable{}, err
	}
	defer leave()
	entries, ok := n.c.tables[table]
	if !ok {
		return signing.LookupTable{}, signing.ErrUnknown
	}
	if n.lies&otherTable != 0 {
		return signing.LookupTable{Addresses: slices.Repeat([]key{shop}, len(entries))}, nil
	}
	return signing.LookupTable{Addresses: entries}, nil
}

func state(a account) signing.AccountState {
	if a.lamports == 0 {
		return signing.AccountState{}
	}
	return signing.AccountState{Lamports: walletfi.Amount(a.lamports), Owner: a.owner, Data: a.data}
}

func (n *node) Accounts(_ context.Context, keys []key) (all []signing.AccountState, err error) {
	leave, err := n.enter("accounts")
	if err != nil {
		return nil, err
	}
	defer leave()
	for _, k := range keys {
		all = append(all, state(n.c.accounts[k]))
	}
	return all, nil
}

func (n *node) AccountsSince(ctx context.Context, keys []key, slot uint64) ([]signing.AccountState, error) {
	if slot > n.c.slot {
		return nil, errNode
	}
	all, err := n.Accounts(ctx, keys)
	for i := range all {
		if n.lies&richer != 0 && all[i].Lamports > 0 {
			all[i].Lamports += 1000 * sol
			if token(all[i].Data).ok() {
				all[i].Data = with(all[i].Data, 64, 1_000_000*tok)
			}
		}
	}
	return all, err
}

// History of a node that calls its accounts richer is empty. It looks at 100 transactions at once.
func (n *node) History(
	_ context.Context, address key, since, until uint64, cursor string,
) (all []string, next string, err error) {
	leave, err := n.enter("history")
	if err != nil {
		return nil, "", err
	}
	defer leave()
	if until > n.final().Slot {
		return nil, "", errNode
	}
	from, _ := strconv.Atoi(cursor)
	to := min(from+100, len(n.c.order))
	if next = strconv.Itoa(to); to == len(n.c.order) {
		next = ""
	}
	for _, e := range n.c.order[from:to] {
		named := slices.ContainsFunc(e.p.metas, func(m meta) bool { return m.key == address })
		if named && e.slot > since && e.slot <= until && n.lies&richer == 0 {
			all = append(all, e.signature.String())
		}
	}
	return all, next, nil
}

func (n *node) Transaction(_ context.Context, text string) ([]byte, error) {
	leave, err := n.enter("history")
	if err != nil {
		return nil, err
	}
	defer leave()
	s, _ := signing.ParseSignature(text)
	e := n.c.done[s]
	if e == nil || n.lies&richer != 0 {
		return nil, walletfi.ErrNotFound
	}
	return e.p.raw, nil
}

func (n *node) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	return n.SimulateAfter(ctx, nil, r)
}

func (n *node) SimulateAfter(
	_ context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	leave, err := n.enter("simulate")
	if err != nil {
		return nil, err
	}
	defer leave()
	now := map[key]account{}
	for k, a := range n.c.accounts {
		now[k] = a
	}
	for _, t := range earlier {
		if e := n.run(t, now); e != nil {
			for k, a := range e.after {
				now[k] = a
			}
		}
	}
	out := &signing.Simulation{Slot: n.c.slot, Units: 1000}
	for _, k := range r.Accounts {
		out.Before = append(out.Before, state(now[k]))
	}
	e := n.run(r.Transaction, now)
	if e == nil {
		out.Err, out.After = "BlockhashNotFound", out.Before
		return out, nil
	}
	if n.lies&nothingMoves != 0 {
		out.After = out.Before
		return out, nil
	}
	out.Err, out.Inner = e.err, e.p.inner
	for _, k := range r.Accounts {
		a, ok := e.after[k]
		if !ok {
			a = now[k]
		}
		out.After = append(out.After, state(a))
	}
	return out, nil
}

func (n *node) run(t *signing.Transaction, now map[key]account) *execution {
	p, err := parse(t.Bytes(), n.c.table)
	if err != nil {
		return nil
	}
	e, err := n.c.execute(p, n.c.slot+1, now, true)
	if err != nil {
		return nil
	}
	return e
}

func (n *node) Effects(_ context.Context, text string) (*walletfi.Effects, error) {
	leave, err := n.enter("effects")
	if err != nil {
		return nil, err
	}
	defer leave()
	s, _ := signing.ParseSignature(text)
	e := n.c.done[s]
	if e == nil {
		return nil, walletfi.ErrNotFound
	}
	out := &walletfi.Effects{
		Signature: text, Slot: e.slot, Err: e.err, FeePayer: e.p.metas[0].key.String(), Fee: walletfi.Amount(e.fee),
	}
	if n.lies&nothingMoves != 0 {
		return out, nil
	}
	for _, m := range e.p.metas {
		b, a := e.before[m.key], e.after[m.key]
		if b.lamports != a.lamports {
			out.Lamports = append(out.Lamports, walletfi.LamportChange{
				Account: m.key.String(), Change: walletfi.Change{
					Before: walletfi.Amount(b.lamports), After: walletfi.Amount(a.lamports),
				},
			})
		}
		out.Tokens = append(out.Tokens, tokenChanges(m.key, token(b.data), token(a.data))...)
	}
	return out, nil
}

func tokenChanges(at key, b, a token) (all []walletfi.TokenChange) {
	row := func(t token) walletfi.TokenChange {
		return walletfi.TokenChange{
			Account: at.String(), Owner: t.owner().String(), Mint: t.mint().String(), Decimals: decimals(t.mint()),
		}
	}
	if b.ok() && a.ok() && b.owner() == a.owner() {
		r := row(a)
		r.Before, r.After = walletfi.Amount(b.amount()), walletfi.Amount(a.amount())
		return append(all, r)
	}
	if b.ok() {
		r := row(b)
		r.Before = walletfi.Amount(b.amount())
		all = append(all, r)
	}
	if a.ok() {
		r := row(a)
		r.After = walletfi.Amount(a.amount())
		all = append(all, r)
	}
	return all
}
