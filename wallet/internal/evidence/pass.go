package evidence

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

// Step names a transaction to a node.
type Step struct {
	Transaction walletfi.Base64Transaction
	Signature   string // by which the ledger may know it
	Own         string // that of the bytes that are known
	// Blockhash is the value of a durable nonce if there is a NonceAccount.
	Blockhash, NonceAccount string
}

// Fixed reports that no other signature can name the transaction.
func (s Step) Fixed() bool { return s.Signature != "" && s.Signature == s.Own }

// SignedBy reports whether a signature that a submitter tells is the fee
// payer's over a transaction. Without that, a status would prove nothing: any transaction
// that ever succeeded could be named.
func (s Step) SignedBy(signature string) bool {
	told, err := signing.ParseSignature(signature)
	if err != nil {
		return false
	}
	sent, err := signing.Decode(s.Transaction)
	return err == nil && told.Verify(sent.FeePayer(), sent.Message())
}

// Item is a transaction that a node is asked about, with what it has shown before.
type Item struct {
	For    any // the caller's own, which is not looked at
	Step   Step
	After  walletfi.Head // what was final when it was signed
	Told   uint64        // the last height that the service named, or 0
	Unsure bool          // After was only told
	Past   walletfi.Head // the first finalized block past its end that was known
	Final  walletfi.Head // the newest that is known, or a slot that the node has called final
	Shown  walletfi.NodeEvidence
	Last   uint64 // height of the last block that may hold it
	Known  bool   // whether Last is
	Named  string // the signature by which the node knows it
	Heard  uint64 // a slot at which the node called its blockhash valid
}

// Pass is one turn of questions to one node about transactions that are not found.
type Pass struct {
	ID    string        // the node's identity
	Final walletfi.Head // the newest finalized block that was known when it was made
	Items []*Item       // set by the caller, read when Ask has returned
	// Quick leaves questions that take many calls for a turn of their own: Left has their items.
	Quick bool
	Left  [][]*Item

	node    walletfi.Prover
	valid   walletfi.BlockhashReader    // nil if the node is none
	several bool                        // nodes are asked
	stalled bool                        // the final head has not grown for long
	dear    *pauses                     // between questions that take many calls and were in vain
	home    func(context.Context) error // an error if the node is of another ledger by now
	away    func(context.Context) bool  // the node was of another ledger when it was last asked

	mu sync.Mutex // guards Left
}

// dearly asks a question that takes many calls, by its name, unless that was in vain not
// long ago.
func (p *Pass) dearly(name string, items []*Item, question func() error) error {
	if err := p.dear.due(name); err != nil {
		return err
	}
	if p.Quick {
		p.leave(items)
		return errLeft
	}
	err := question()
	p.dear.asked(name, err)
	return err
}

// leave puts off what takes many calls.
func (p *Pass) leave(items []*Item) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Left = append(p.Left, items)
}

var errLeft = errors.New("it is being asked, which takes many calls")

// sideBySide is how many questions one node is asked at a time.
const sideBySide = 8

// Ask has the node show what each item still lacks, unless it is of another ledger.
func (p *Pass) Ask(ctx context.Context) {
	if !p.away(ctx) || p.home(ctx) == nil { // it may be back
		p.run(ctx)
		return
	}
	for _, it := range p.Items {
		it.lacks(errForeign)
	}
}

// run asks what each item still lacks. Transactions on one blockhash share questions.
func (p *Pass) run(ctx context.Context) {
	byHash := map[string][]*Item{}
	var turn errgroup.Group
	turn.SetLimit(sideBySide)
	for _, it := range p.Items {
		it.Shown.Missing = ""
		if it.Step.NonceAccount != "" {
			turn.Go(func() error {
				it.lacks(p.nonce(ctx, it))
				return nil
			})
			continue
		}
		byHash[it.Step.Blockhash] = append(byHash[it.Step.Blockhash], it)
	}
	var absent []*Item
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
	p.absences(ctx, slices.DeleteFunc(absent, func(it *Item) bool {
		return it.Shown.Gone.Slot == 0 || len(it.Shown.Nulls) == 2 || proof.Wait(&it.Shown, it.Final) > 0
	}))
}

// unanswered reports an end that was shown in an earlier turn, and no answer of that. By its own block, the window may
// end sooner, before a hole, and stays in the cache for longer.
func (it *Item) unanswered() bool { return it.Shown.Gone.Slot > 0 && len(it.Shown.Nulls) == 0 }

// lacks notes why a node has not shown more.
func (it *Item) lacks(err error) {
	if err != nil {
		it.Shown.Missing = err.Error()
	}
}

// blockhash asks when a blockhash ends, and then whether it has ended.
func (p *Pass) blockhash(ctx context.Context, hash string, items []*Item) error {
	if !alike(items) {
		if err := p.begins(ctx, hash, items[0]); err != nil {
			return err
		}
		alike(items)
	}
	open := items[0].Known && items[0].Shown.Block.Slot == 0 && (p.stalled || items[0].unanswered())
	from := min(items[0].near().Height, items[0].After.Height)
	if (items[0].vague() || open) && p.Final.Height > from+proof.Age {
		_ = p.find(ctx, hash, items)
	}
	ended := func(it *Item) bool { return it.Known && it.Past.Height > it.Last && it.Shown.Gone.Height <= it.Last }
	if !slices.ContainsFunc(items, ended) {
		p.early(ctx, hash, items)
		return nil
	}
	past := walletfi.Head{}
	for _, it := range items {
		if ended(it) && it.Past.Slot > past.Slot {
			past = it.Past
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
			it.Shown.Gone, it.Shown.Nulls = walletfi.Head{}, nil
		case ended(it):
			it.Shown.Gone, it.Shown.Nulls = past, nil
		}
	}
	return nil
}

// early asks whether a blockhash has ended before it must have: it was seen valid some time after its
// own block, which is not known, nor told where to look for.
func (p *Pass) early(ctx context.Context, hash string, items []*Item) {
	i := slices.IndexFunc(items, func(it *Item) bool {
		return it.Known && it.Shown.Block.Slot == 0 && it.near() == it.After && it.Shown.Gone.Slot == 0 &&
			it.Shown.Seen <= p.Final.Slot
	})
	if i < 0 {
		return
	}
	state, err := p.node.BlockhashAt(ctx, hash, items[i].Shown.Seen)
	if err != nil || state.Valid || p.home(ctx) != nil {
		return
	}
	for _, it := range items {
		proof.Ended(&it.Shown, p.Final, state.AsOfSlot)
	}
}

// alike gives to all items the most that one of them has of their blockhash. It reports whether
// there is any such: one item whose own block is not known would widen the window of all.
func alike(items []*Item) bool {
	most := &items[0].Shown
	for _, it := range items {
		proof.Alike(most, it.Shown)
	}
	for _, it := range items {
		proof.Alike(&it.Shown, *most)
	}
	return most.Seen > 0
}

// begins finds out what bounds a blockhash's own block: that it is valid now or, if it
// has long ended, where its block is.
func (p *Pass) begins(ctx context.Context, hash string, it *Item) error {
	const longPast = 100 // blocks
	if p.valid != nil && it.Heard == 0 {
		state, err := p.valid.BlockhashValid(ctx, hash)
		if err != nil {
			return err
		}
		if state.Valid {
			it.Heard = state.AsOfSlot
		}
	}
	switch {
	case it.Heard > 0 && p.Final.Slot > 0:
		proof.Valid(&it.Shown, p.Final, it.Heard)
		it.Shown.Age, _ = p.node.BlockhashAge(ctx)
		return nil
	case it.Heard > 0:
		return errors.New("no final block is known")
	}
	if p.Final.Height < it.After.Height+longPast {
		return errors.New("it does not call the blockhash valid")
	}
	return p.find(ctx, hash, []*Item{it})
}

const shortSearch = 10 * time.Second

// find looks for the block that a blockhash belongs to.
func (p *Pass) find(ctx context.Context, hash string, items []*Item) error {
	if items[0].Known && !items[0].wide() { // it is of use, and not needed
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, shortSearch)
		defer cancel()
	}
	return p.dearly(hash, items, func() error {
		block, err := p.node.BlockOf(ctx, hash, cmp.Or(items[0].near(), p.Final))
		if errors.Is(err, walletfi.ErrNotFound) && items[0].near() != items[0].After {
			block, err = p.node.BlockOf(ctx, hash, items[0].After)
		}
		if err != nil {
			return err
		}
		age, _ := p.node.BlockhashAge(ctx)
		for _, it := range items {
			proof.Found(&it.Shown, block)
			it.Shown.Age = age
		}
		return nil
	})
}

// absences asks for transactions whose end the node has shown, together with witnesses.
func (p *Pass) absences(ctx context.Context, items []*Item) {
	items = slices.DeleteFunc(items, func(it *Item) bool {
		err := p.sure(ctx, it)
		it.lacks(err)
		return err != nil
	})
	slices.SortFunc(items, func(a, b *Item) int {
		return cmp.Or(cmp.Compare(a.Shown.Gone.Slot, b.Shown.Gone.Slot), cmp.Compare(a.After.Slot, b.After.Slot))
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
func (p *Pass) together(ctx context.Context, q walletfi.AbsenceQuery, group []*Item) error {
	ask := func() error {
		if err := p.home(ctx); err != nil {
			return err
		}
		if group[0].Step.Fixed() {
			return p.absence(ctx, q, group)
		}
		return p.message(ctx, q, group[0])
	}
	block := group[0].Shown.Block
	fresh := q.After.Height+freshWindow > p.Final.Height ||
		block.Slot == 0 && q.After.Height+freshWindow+sinceFinal > p.Final.Height
	if fresh && group[0].Step.Fixed() {
		return ask()
	}
	return p.dearly(group[0].Step.Own, group, ask)
}

// absence asks for the statuses of a group.
func (p *Pass) absence(ctx context.Context, q walletfi.AbsenceQuery, group []*Item) error {
	a, err := p.node.Absence(ctx, q)
	if err == nil {
		err = proof.Covered(q, a)
	}
	if err != nil {
		return err
	}
	for i, it := range group {
		if a.Statuses[i].Found {
			it.Shown.Nulls = nil // it has landed, or is on a fork
			continue
		}
		proof.Absent(&it.Shown, proof.NullOf(a, it.Final))
	}
	return err
}

// message looks through whole blocks for a transaction that may have another signature
// than the one that is known: that the node does not know that one says nothing.
func (p *Pass) message(ctx context.Context, q walletfi.AbsenceQuery, it *Item) error {
	sent, err := signing.Decode(it.Step.Transaction)
	if err != nil {
		return err
	}
	found, err := p.node.MessageAbsence(ctx, q, sent.FeePayer().String(), sent.Message())
	it.Named = found.Signature
	switch {
	case err != nil:
		return err
	case it.Named != "":
		it.Shown.Nulls = nil
	default:
		proof.AbsentMessage(&it.Shown, q)
	}
	return nil
}
