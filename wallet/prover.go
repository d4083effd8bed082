package wallet

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

// prover keeps the newest finalized head that a majority of the nodes have shown, and
// gathers what they show of transactions that are not found.
type prover struct {
	*panel
	ids   []string // of the nodes
	clock walletfi.Clock
	// record keeps the head in the journal, nil until there is one.
	record *record

	asking atwork.Lock // held while the head is asked for

	state   sync.Mutex
	genesis string // of the ledger, empty if it is not known yet
	final   Head
	at      time.Time // of the last question
	grown   time.Time // when the head was last a newer one
	busy    []bool    // nodes that are being asked
	deep    []int     // turns that take many calls, of each node
}

// newProver returns nil if no node shows anything.
func newProver(nodes []any, c walletfi.Clock) *prover {
	p := &prover{clock: c, busy: make([]bool, len(nodes)), deep: make([]int, len(nodes))}
	p.panel = &panel{quorum: proof.Quorum(len(nodes))}
	able := false
	for i, n := range nodes {
		w := &witness{
			prover: find[walletfi.Prover](n), blockhash: find[walletfi.BlockhashReader](n),
			finder: find[walletfi.MessageFinder](n), dear: pauses{clock: c},
		}
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

// head is the newest finalized head that is known.
func (p *prover) head() Head {
	if p == nil {
		return Head{}
	}
	p.state.Lock()
	defer p.state.Unlock()
	return p.final
}

// learn takes in a finalized head that is certain.
func (p *prover) learn(told Head) {
	p.state.Lock()
	head, grown := proof.Grow(p.final, told)
	if p.final = head; grown {
		p.grown = clock.Now(p.clock)
	}
	p.state.Unlock()
	if grown && p.record != nil {
		p.record.keep(head)
	}
}

// stalled reports a head that has not grown for long: the newer ones are in a gap of what the
// nodes have, or a node's blocks lag its heads.
func (p *prover) stalled() bool {
	const long = 8 * time.Second
	p.state.Lock()
	defer p.state.Unlock()
	since := clock.Since(p.clock, p.grown)
	return since < 0 || since > long
}

// refresh asks for the finalized head if the last question is more than age past.
// Callers that come together share a question.
func (p *prover) refresh(ctx context.Context, age time.Duration) error {
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
	ctx, cancel := context.WithTimeout(ctx, 2*headTimeout)
	defer cancel()
	told, err := p.shown(ctx)
	if p.record != nil && (err != nil || unknown) {
		if wrong := p.record.greet(ctx); errors.Is(wrong, errOtherLedger) {
			err = wrong
		}
	}
	p.state.Lock()
	p.at = clock.Now(p.clock)
	p.state.Unlock()
	if err == nil {
		p.learn(told)
	}
	return err
}

// genesisOf is the first block of a node's ledger. One that has not told it is asked.
func (p *prover) genesisOf(ctx context.Context, w *witness) (string, error) {
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
func (p *prover) foreign(ctx context.Context, w *witness) bool {
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
func (p *prover) homeOf(w *witness) func(context.Context) error {
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

// forget drops the head, until the nodes show one again.
func (p *prover) forget() {
	p.state.Lock()
	defer p.state.Unlock()
	p.final, p.at = Head{}, time.Time{}
}

// beforeSigning makes sure that a finalized head is known which is near a head that was
// just told. If the nodes do not show one, the older one serves as well: what is signed
// now is not in a block up to it. The error is that of nodes of another ledger.
func (p *prover) beforeSigning(ctx context.Context, told Head) (Head, error) {
	const near, often = 64, 20 * time.Second
	if p == nil {
		return Head{}, nil
	}
	age := often
	if final := p.head(); told.Slot > final.Slot+near || final.Slot == 0 {
		age = time.Second
	}
	// Nodes that do not answer do not keep a payment waiting.
	ctx, cancel := context.WithTimeout(ctx, 2*nodePatience)
	defer cancel()
	if err := p.refresh(ctx, age); errors.Is(err, errOtherLedger) {
		return Head{}, err
	}
	return p.head(), nil
}

var errNotValid = errors.New(
	"no node calls its blockhash valid, which is too old or not the ledger's: ask for a new quote",
)

// callsValid is nil if a node calls a blockhash valid, or if none can be asked.
func (p *prover) callsValid(ctx context.Context, blockhash string) error {
	if p == nil {
		return nil
	}
	answers, err := gather(ctx, p.panel, func(ctx context.Context, w *witness) (bool, error) {
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
	return errNotValid
}

// shown is the newest finalized head that a majority of the nodes have shown.
func (p *prover) shown(ctx context.Context) (Head, error) {
	heads, err := p.heads(ctx, walletfi.Prover.FinalHead)
	if err != nil {
		return Head{}, err
	}
	for _, candidate := range proof.Candidates(heads, len(p.nodes)) {
		if len(p.nodes) == 1 {
			return candidate, nil
		}
		blocks, err := p.heads(ctx, func(n walletfi.Prover, ctx context.Context) (Head, error) {
			return n.FinalBlock(ctx, candidate.Slot)
		})
		if err != nil {
			continue
		}
		differ := slices.DeleteFunc(blocks, func(b Head) bool { return b == candidate })
		if len(blocks)-len(differ) >= p.quorum {
			return candidate, nil
		}
	}
	return Head{}, errNoAgreement
}

var errForeign = fmt.Errorf("%w: the node is of another cluster", walletfi.ErrMismatch)

// heads asks the nodes of this ledger.
func (p *prover) heads(ctx context.Context, ask func(walletfi.Prover, context.Context) (Head, error)) ([]Head, error) {
	return gather(ctx, p.panel, func(ctx context.Context, w *witness) (Head, error) {
		switch {
		case w.prover == nil:
			return Head{}, errors.ErrUnsupported
		case p.foreign(ctx, w):
			return Head{}, errForeign
		}
		return ask(w.prover, ctx)
	})
}
