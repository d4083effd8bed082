package wallet

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
	"golang.org/x/sync/errgroup"
)

// step is what a node is asked about a transaction by.
type step struct {
	Transaction walletfi.Base64Transaction
	Signature   string // by which the ledger may know it
	Own         string // that of the bytes that are known
	// Blockhash is the value of a durable nonce if there is a NonceAccount.
	Blockhash, NonceAccount string
}

// fixed reports that no other signature can name the transaction.
func (s step) fixed() bool { return s.Signature != "" && s.Signature == s.Own }

// signedBy reports whether a signature that a submitter tells is the fee
// payer's over a transaction. Without that, a status would prove nothing: any transaction
// that ever succeeded could be named.
func (s step) signedBy(signature string) bool {
	told, err := signing.ParseSignature(signature)
	if err != nil {
		return false
	}
	sent, err := signing.Decode(s.Transaction)
	return err == nil && told.Verify(sent.FeePayer(), sent.Message())
}

// item is a transaction that a node is asked about, with what it has shown before.
type item struct {
	For    any // what the caller has it for
	step   step
	after  Head   // what was final when it was signed
	told   uint64 // the last height that the service named, or 0
	unsure bool   // after was only told
	past   Head   // the first finalized block past its end that was known
	final  Head   // the newest that is known, or a slot that the node has called final
	shown  walletfi.NodeEvidence
	last   uint64 // height of the last block that may hold it
	known  bool   // whether last is
	named  string // the signature by which the node knows it
	heard  uint64 // a slot at which the node called its blockhash valid
}

// pass is one turn of questions to one node about transactions that are not found.
type pass struct {
	id      string // the node's identity
	node    walletfi.Prover
	valid   walletfi.BlockhashReader // nil if the node is none
	final   Head
	items   []*item
	several bool // nodes are asked
	stalled bool // the final head has not grown for long
	// dear are the pauses between questions that take many calls and were in vain. A quick
	// turn leaves them for one of their own.
	dear  *pauses
	quick bool
	home  func(context.Context) error // an error if the node is of another ledger by now
	away  func(context.Context) bool  // the node was of another ledger when it was last asked

	mu   sync.Mutex
	left [][]*item
}

// dearly asks a question that takes many calls, by its name, unless that was in vain not
// long ago.
func (p *pass) dearly(name string, items []*item, question func() error) error {
	if err := p.dear.due(name); err != nil {
		return err
	}
	if p.quick {
		p.leave(items)
		return errLeft
	}
	err := question()
	p.dear.asked(name, err)
	return err
}

// leave puts off what takes many calls.
func (p *pass) leave(items []*item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = append(p.left, items)
}

var errLeft = errors.New("it is being asked, which takes many calls")

// sideBySide is how many questions one node is asked at a time.
const sideBySide = 8

// ask has the node show what each item still lacks, unless it is of another ledger.
func (p *pass) ask(ctx context.Context) {
	if !p.away(ctx) || p.home(ctx) == nil { // it may be back
		p.run(ctx)
		return
	}
	for _, it := range p.items {
		it.lacks(errForeign)
	}
}

// run asks what each item still lacks. Transactions on one blockhash share questions.
func (p *pass) run(ctx context.Context) {
	byHash := map[string][]*item{}
	var turn errgroup.Group
	turn.SetLimit(sideBySide)
	for _, it := range p.items {
		it.shown.Missing = ""
		if it.step.NonceAccount != "" {
			turn.Go(func() error {
				it.lacks(p.nonce(ctx, it))
				return nil
			})
			continue
		}
		byHash[it.step.Blockhash] = append(byHash[it.step.Blockhash], it)
	}
	var absent []*item
	for hash, items := range byHash {
		turn.Go(func() error {
			err := p.blockhash(ctx, hash, items)
			if err == nil {
				p.settled(ctx, hash, items)
			}
			for _, it := range items {
				it.lacks(err)
			}
			return nil
		})
		absent = append(absent, items...)
	}
	_ = turn.Wait()
	p.absences(ctx, slices.DeleteFunc(absent, func(it *item) bool {
		return it.shown.Gone.Slot == 0 || len(it.shown.Nulls) == 2 || proof.Wait(&it.shown, it.final) > 0
	}))
}

// unanswered reports an end that was shown in an earlier turn, and no answer of that. By its own block, the window may
// end sooner, before a hole, and stays in the cache for longer.
func (it *item) unanswered() bool { return it.shown.Gone.Slot > 0 && len(it.shown.Nulls) == 0 }

// lacks notes why a node has not shown more.
func (it *item) lacks(err error) {
	if err != nil {
		it.shown.Missing = err.Error()
	}
}

// blockhash asks when a blockhash ends, and then whether it has ended.
func (p *pass) blockhash(ctx context.Context, hash string, items []*item) error {
	if !alike(items) {
		if err := p.begins(ctx, hash, items[0]); err != nil {
			return err
		}
		alike(items)
	}
	open := items[0].known && items[0].shown.Block.Slot == 0 && (p.stalled || items[0].unanswered())
	from := min(items[0].near().Height, items[0].after.Height)
	if (items[0].vague() || open) && p.final.Height > from+proof.Age {
		_ = p.find(ctx, hash, items)
	}
	ended := func(it *item) bool { return it.known && it.past.Height > it.last && it.shown.Gone.Height <= it.last }
	if !slices.ContainsFunc(items, ended) {
		p.early(ctx, hash, items)
		return nil
	}
	past := Head{}
	for _, it := range items {
		if ended(it) && it.past.Slot > past.Slot {
			past = it.past
		}
	}
	if err := p.home(ctx); err != nil {
		return err
	}
	state, err := p.node.BlockhashAt(ctx, hash, past.Slot)
	if err != nil {
		return err
	}
	for _, it := range items {
		switch {
		case state.Valid:
			it.shown.Gone, it.shown.Nulls = Head{}, nil
		case ended(it):
			it.shown.Gone, it.shown.Nulls = past, nil
		}
	}
	return nil
}

// early asks whether a blockhash has ended before it must have: it was seen valid some time after its
// own block, which is not known, nor told where to look for.
func (p *pass) early(ctx context.Context, hash string, items []*item) {
	i := slices.IndexFunc(items, func(it *item) bool {
		return it.known && it.shown.Block.Slot == 0 && it.near() == it.after && it.shown.Gone.Slot == 0 &&
			it.shown.Seen <= p.final.Slot
	})
	if i < 0 {
		return
	}
	state, err := p.node.BlockhashAt(ctx, hash, items[i].shown.Seen)
	if err != nil || state.Valid || p.home(ctx) != nil {
		return
	}
	for _, it := range items {
		proof.Ended(&it.shown, p.final, state.AsOfSlot)
	}
}

// alike gives to all items the most that one of them has of their blockhash. It reports whether
// there is any such: one item whose own block is not known would widen the window of all.
func alike(items []*item) bool {
	most := &items[0].shown
	for _, it := range items {
		proof.Alike(most, it.shown)
	}
	for _, it := range items {
		proof.Alike(&it.shown, *most)
	}
	return most.Seen > 0
}

// begins finds out what bounds a blockhash's own block: that it is valid now or, if it
// has long ended, where its block is.
func (p *pass) begins(ctx context.Context, hash string, it *item) error {
	const longPast = 100 // blocks
	if p.valid != nil && it.heard == 0 {
		state, err := p.valid.BlockhashValid(ctx, hash)
		if err != nil {
			return err
		}
		if state.Valid {
			it.heard = state.AsOfSlot
		}
	}
	switch {
	case it.heard > 0 && p.final.Slot > 0:
		proof.Valid(&it.shown, p.final, it.heard)
		it.shown.Age, _ = p.node.BlockhashAge(ctx)
		return nil
	case it.heard > 0:
		return errors.New("no final block is known")
	}
	if p.final.Height < it.after.Height+longPast {
		return errors.New("it does not call the blockhash valid")
	}
	return p.find(ctx, hash, []*item{it})
}

const shortSearch = 10 * time.Second

// find looks for the block that a blockhash belongs to.
func (p *pass) find(ctx context.Context, hash string, items []*item) error {
	if items[0].known && !items[0].wide() { // it is of use, and not needed
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, shortSearch)
		defer cancel()
	}
	return p.dearly(hash, items, func() error {
		block, err := p.node.BlockOf(ctx, hash, cmp.Or(items[0].near(), p.final))
		if errors.Is(err, walletfi.ErrNotFound) && items[0].near() != items[0].after {
			block, err = p.node.BlockOf(ctx, hash, items[0].after)
		}
		if err != nil {
			return err
		}
		age, _ := p.node.BlockhashAge(ctx)
		for _, it := range items {
			proof.Found(&it.shown, block)
			it.shown.Age = age
		}
		return nil
	})
}

// absences asks for transactions whose end the node has shown, together with witnesses.
func (p *pass) absences(ctx context.Context, items []*item) {
	items = slices.DeleteFunc(items, func(it *item) bool {
		err := p.sure(ctx, it)
		it.lacks(err)
		return err != nil
	})
	slices.SortFunc(items, func(a, b *item) int {
		return cmp.Or(cmp.Compare(a.shown.Gone.Slot, b.shown.Gone.Slot), cmp.Compare(a.after.Slot, b.after.Slot))
	})
	var turn errgroup.Group
	turn.SetLimit(sideBySide)
	for len(items) > 0 {
		q, n := p.query(items)
		group := items[:n]
		items = items[n:]
		turn.Go(func() error {
			err := p.together(ctx, q, group)
			for _, it := range group {
				it.lacks(err)
			}
			return nil
		})
	}
	_ = turn.Wait()
}

// together asks for a group. What takes a call for each block is not asked again soon.
func (p *pass) together(ctx context.Context, q walletfi.AbsenceQuery, group []*item) error {
	ask := func() error {
		if err := p.home(ctx); err != nil {
			return err
		}
		if group[0].step.fixed() {
			return p.absence(ctx, q, group)
		}
		return p.message(ctx, q, group[0])
	}
	block := group[0].shown.Block
	fresh := q.After.Height+freshWindow > p.final.Height ||
		block.Slot == 0 && q.After.Height+freshWindow+sinceFinal > p.final.Height
	if fresh && group[0].step.fixed() {
		return ask()
	}
	return p.dearly(group[0].step.Own, group, ask)
}

// absence asks for the statuses of a group.
func (p *pass) absence(ctx context.Context, q walletfi.AbsenceQuery, group []*item) error {
	a, err := p.node.Absence(ctx, q)
	if err == nil {
		err = proof.Covered(q, a)
	}
	if err != nil {
		return err
	}
	for i, it := range group {
		if a.Statuses[i].Found {
			it.shown.Nulls = nil // it has landed, or is on a fork
			continue
		}
		proof.Absent(&it.shown, proof.NullOf(a, it.final))
	}
	return err
}

// message looks through whole blocks for a transaction that may have another signature
// than the one that is known: that the node does not know that one says nothing.
func (p *pass) message(ctx context.Context, q walletfi.AbsenceQuery, it *item) error {
	sent, err := signing.Decode(it.step.Transaction)
	if err != nil {
		return err
	}
	found, err := p.node.MessageAbsence(ctx, q, sent.FeePayer().String(), sent.Message())
	it.named = found.Signature
	switch {
	case err != nil:
		return err
	case it.named != "":
		it.shown.Nulls = nil
	default:
		proof.AbsentMessage(&it.shown, q)
	}
	return nil
}
