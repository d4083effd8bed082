package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/atwork"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/proof"
)

// Prover keeps the newest finalized head that a majority of the nodes have shown, and
// gathers what they show of transactions that are not found.
type Prover struct {
	members
	ids   []string // of the nodes
	clock walletfi.Clock
	// memory keeps the head, nil until there is one.
	memory Memory

	asking atwork.Lock // held while the head is asked for

	state   sync.Mutex
	genesis string // of the ledger, empty if it is not known yet
	final   walletfi.Head
	at      time.Time // of the last question
	grown   time.Time // when the head was last a newer one
}

// NewProver returns nil if no node shows anything.
func NewProver(nodes []any, c walletfi.Clock) *Prover {
	p := &Prover{clock: c, members: members{quorum: proof.Quorum(len(nodes))}}
	able := false
	for i, n := range nodes {
		w := &witness{dear: pauses{clock: c}}
		w.prover, _ = n.(walletfi.Prover)
		w.blockhash, _ = n.(walletfi.BlockhashReader)
		if w.id = fmt.Sprintf("node %d", i+1); w.prover != nil {
			w.id = cmp.Or(w.prover.Identity(), w.id)
		}
		p.nodes, p.ids = append(p.nodes, w), append(p.ids, w.id)
		able = able || w.prover != nil
	}
	if !able {
		return nil
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// IDs are the identities of the nodes.
func (p *Prover) IDs() []string { return p.ids }

// Showing are those of the nodes that show something.
func (p *Prover) Showing() (ids []string) {
	for _, w := range p.nodes {
		if w.prover != nil {
			ids = append(ids, w.id)
		}
	}
	return ids
}

// Memory outlives a prover.
type Memory interface {
	// Keep takes in a newer finalized block. It does not wait.
	Keep(head walletfi.Head)
	// Genesis has the known first block of the ledger read, and set if it is empty.
	Genesis(read func(known *string) error) error
}

// Open begins with a head that is known, and holds the nodes against the ledger that memory knows. Nodes
// that do not answer are held against it when they do.
func (p *Prover) Open(ctx context.Context, final walletfi.Head, m Memory) error {
	p.final, p.memory = final, m
	return p.greet(ctx)
}

// Genesis is the first block of the ledger, empty if it is not known yet.
func (p *Prover) Genesis() string {
	if p == nil {
		return ""
	}
	p.state.Lock()
	defer p.state.Unlock()
	return p.genesis
}

// Pass is a turn of questions to node i about no transaction yet, nil if that node shows nothing.
func (p *Prover) Pass(i int) *Pass {
	w := p.nodes[i]
	if w.prover == nil {
		return nil
	}
	return &Pass{
		ID: w.id, node: w.prover, valid: w.blockhash, Final: p.Final(), dear: &w.dear,
		several: len(p.nodes) > 1, stalled: p.Stalled(), home: p.homeOf(w),
		away: func(ctx context.Context) bool { return p.foreign(ctx, w) },
	}
}

// Final is the newest finalized head that is known.
func (p *Prover) Final() walletfi.Head {
	if p == nil {
		return walletfi.Head{}
	}
	p.state.Lock()
	defer p.state.Unlock()
	return p.final
}

// Learn takes in a finalized head that is certain.
func (p *Prover) Learn(told walletfi.Head) {
	p.state.Lock()
	head, grown := proof.Grow(p.final, told)
	if p.final = head; grown {
		p.grown = clock.Now(p.clock)
	}
	p.state.Unlock()
	if grown && p.memory != nil {
		p.memory.Keep(head)
	}
}

// Stalled reports a head that has not grown for long: the newer ones are in a gap of what the
// nodes have, or a node's blocks lag its heads.
func (p *Prover) Stalled() bool {
	const long = 8 * time.Second
	p.state.Lock()
	defer p.state.Unlock()
	since := clock.Since(p.clock, p.grown)
	return since < 0 || since > long
}

// refreshTimeout bounds the questions for a head, of all nodes.
const refreshTimeout = 10 * time.Second

// Refresh asks for the finalized head if the last question is more than age past.
// Callers that come together share a question.
func (p *Prover) Refresh(ctx context.Context, age time.Duration) error {
	if err := p.asking.Lock(ctx); err != nil {
		return err
	}
	defer p.asking.Unlock()
	p.state.Lock()
	old := clock.Since(p.clock, p.at)
	recent, unknown := !p.at.IsZero() && 0 <= old && old < age, p.genesis == ""
	p.state.Unlock()
	if recent {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	told, err := p.shown(ctx)
	if p.memory != nil && (err != nil || unknown) {
		if wrong := p.greet(ctx); errors.Is(wrong, ErrOtherLedger) {
			err = wrong
		}
	}
	p.state.Lock()
	p.at = clock.Now(p.clock)
	p.state.Unlock()
	if err == nil {
		p.Learn(told)
	}
	return err
}

// ErrOtherLedger means that a journal and a node, or two nodes, are of two clusters.
var ErrOtherLedger = errors.New("another cluster")

// greet asks the nodes that have not told it yet for their first block. It is an error if
// a majority is of another ledger than the journal. A minority that is, is not asked
// anything: it lies, or was configured by mistake.
func (p *Prover) greet(ctx context.Context) error {
	_, err := gather(ctx, &p.members, p.genesisOf)
	p.state.Lock()
	defer p.state.Unlock()
	by := map[string]int{}
	for _, n := range p.nodes {
		by[n.genesis]++
	}
	wrong := p.memory.Genesis(func(known *string) error { return p.agree(by, known) })
	return cmp.Or(wrong, err)
}

// agree holds what the nodes say, with the number of those who do, against the first block that is known.
func (p *Prover) agree(by map[string]int, known *string) error {
	for told, votes := range by {
		switch {
		case told == "" || votes < p.quorum:
		case *known == "":
			*known = told
		case told != *known:
			for _, n := range p.nodes {
				if n.genesis == told {
					n.genesis = "" // it is asked again: an answer may be garbled
				}
			}
			return fmt.Errorf("%w: %w", ErrOtherLedger, &walletfi.ValidationError{
				Field: "journal", Problem: fmt.Sprintf(
					"is of the cluster that begins with block %s, the nodes of %s", *known, told,
				),
			})
		}
	}
	if *known == "" && by[""] == 0 {
		return fmt.Errorf(
			"%w: %w", ErrOtherLedger, &walletfi.ValidationError{Field: "confirmer", Problem: "has nodes of several clusters"},
		)
	}
	p.genesis = *known
	return nil
}

// genesisOf is the first block of a node's ledger. One that has not told it is asked.
func (p *Prover) genesisOf(ctx context.Context, w *witness) (string, error) {
	p.state.Lock()
	told := w.genesis
	p.state.Unlock()
	switch {
	case told != "":
		return told, nil
	case w.prover == nil:
		return "", errors.ErrUnsupported
	}
	told, err := w.prover.Genesis(ctx)
	if err == nil {
		p.state.Lock()
		defer p.state.Unlock()
		w.genesis = told
	}
	return told, err
}

// foreign reports a node of another ledger. Of one that does not say which it is of, what
// it says next is asked as well.
func (p *Prover) foreign(ctx context.Context, w *witness) bool {
	p.state.Lock()
	want := p.genesis
	p.state.Unlock()
	if want == "" {
		return false
	}
	has, err := p.genesisOf(ctx, w)
	return err == nil && has != want
}

// homeOf asks a node once, before what may be a proof, whether it is still of this ledger: an
// address may lead to another cluster by now.
func (p *Prover) homeOf(w *witness) func(context.Context) error {
	var asking atwork.Lock
	asked, foreign := false, false
	return func(ctx context.Context) error {
		if err := asking.Lock(ctx); err != nil {
			return err
		}
		defer asking.Unlock()
		if !asked {
			p.state.Lock()
			w.genesis = ""
			p.state.Unlock()
			asked, foreign = true, p.foreign(ctx, w)
		}
		if foreign {
			return errForeign
		}
		return nil
	}
}

// Forget drops the head, until the nodes show one again.
func (p *Prover) Forget() {
	p.state.Lock()
	defer p.state.Unlock()
	p.final, p.at = walletfi.Head{}, time.Time{}
}

// BeforeSigning makes sure that a finalized head is known which is near a head that was
// just told. If the nodes do not show one, the older one serves as well: what is signed
// now is not in a block up to it. The error is that of nodes of another ledger.
func (p *Prover) BeforeSigning(ctx context.Context, told walletfi.Head) (walletfi.Head, error) {
	const near, often = 64, 20 * time.Second
	if p == nil {
		return walletfi.Head{}, nil
	}
	age := often
	if final := p.Final(); told.Slot > final.Slot+near || final.Slot == 0 {
		age = time.Second
	}
	// Nodes that do not answer do not keep a payment waiting.
	ctx, cancel := context.WithTimeout(ctx, 2*nodePatience)
	defer cancel()
	if err := p.Refresh(ctx, age); errors.Is(err, ErrOtherLedger) {
		return walletfi.Head{}, err
	}
	return p.Final(), nil
}

// ErrNotValid means that no node calls a blockhash valid.
var ErrNotValid = errors.New(
	"no node calls its blockhash valid, which is too old or not the ledger's: ask for a new quote",
)

// CallsValid is nil if a node calls a blockhash valid, or if none can be asked.
func (p *Prover) CallsValid(ctx context.Context, blockhash string) error {
	if p == nil {
		return nil
	}
	answers, err := gather(ctx, &p.members, func(ctx context.Context, w *witness) (bool, error) {
		if w.blockhash == nil {
			return false, errors.ErrUnsupported
		}
		state, err := w.blockhash.BlockhashValid(ctx, blockhash)
		return state.Valid, err
	})
	switch {
	case slices.Contains(answers, true), errors.Is(err, errors.ErrUnsupported):
		return nil
	case err != nil:
		return fmt.Errorf("whether its blockhash is valid is not known: %w", err)
	}
	return ErrNotValid
}

// shown is the newest finalized head that a majority of the nodes have shown.
func (p *Prover) shown(ctx context.Context) (walletfi.Head, error) {
	heads, err := p.heads(ctx, walletfi.Prover.FinalHead)
	if err != nil {
		return walletfi.Head{}, err
	}
	for _, candidate := range proof.Candidates(heads, len(p.nodes)) {
		if len(p.nodes) == 1 {
			return candidate, nil
		}
		blocks, err := p.heads(ctx, func(n walletfi.Prover, ctx context.Context) (walletfi.Head, error) {
			return n.FinalBlock(ctx, candidate.Slot)
		})
		if err != nil {
			continue
		}
		differ := slices.DeleteFunc(blocks, func(b walletfi.Head) bool { return b == candidate })
		if len(blocks)-len(differ) >= p.quorum {
			return candidate, nil
		}
	}
	return walletfi.Head{}, errNoAgreement
}

var errForeign = fmt.Errorf("%w: the node is of another cluster", walletfi.ErrMismatch)

// heads asks the nodes of this ledger.
func (p *Prover) heads(
	ctx context.Context, ask func(walletfi.Prover, context.Context) (walletfi.Head, error),
) ([]walletfi.Head, error) {
	return gather(ctx, &p.members, func(ctx context.Context, w *witness) (walletfi.Head, error) {
		switch {
		case w.prover == nil:
			return walletfi.Head{}, errors.ErrUnsupported
		case p.foreign(ctx, w):
			return walletfi.Head{}, errForeign
		}
		return ask(w.prover, ctx)
	})
}
