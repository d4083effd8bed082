package evidence

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
)

// Panel asks several nodes and speaks for them as one honest node would, as long
// as those that lie are a minority. What quorum of them say is said by an honest
// one. Nodes that lag say nothing against those that do not.
type Panel struct{ members }

// members are nodes that are asked at once.
type members struct {
	calls
	nodes  []*witness
	quorum int
}

// witness is one node of a panel.
type witness struct {
	batch     walletfi.BatchConfirmer
	head      walletfi.HeadReader
	blockhash walletfi.BlockhashReader // nil if the node has no such thing
	finder    walletfi.MessageFinder   // nil likewise
	effects   walletfi.EffectsReader   // nil likewise
	prover    walletfi.Prover          // nil likewise
	id        string                   // the prover's identity
	dear      pauses                   // of questions that take many calls
	genesis   string                   // the ledger's first block, empty if it has not told it

	under int  // questions that it has not answered
	away  bool // it did not answer the last one in time
}

// NewPanel returns nil if the confirmer is no Panel.
func NewPanel(confirmer walletfi.Confirmer) (*Panel, error) {
	several, ok := confirmer.(walletfi.Panel)
	if !ok {
		return nil, nil
	}
	nodes := several.Nodes()
	p := &Panel{members{quorum: (len(nodes)-1)/2 + 1}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	for i, n := range nodes {
		w := &witness{}
		w.batch, _ = n.(walletfi.BatchConfirmer)
		w.head, _ = n.(walletfi.HeadReader)
		w.finder, _ = n.(walletfi.MessageFinder)
		w.effects, _ = n.(walletfi.EffectsReader)
		if w.batch == nil || w.head == nil {
			return nil, &walletfi.ValidationError{
				Field: fmt.Sprintf("confirmer.Nodes()[%d]", i), Problem: "must be a BatchConfirmer and a HeadReader",
			}
		}
		if named, ok := n.(walletfi.Prover); ok && named.Identity() != "" {
			if w.id = named.Identity(); slices.ContainsFunc(p.nodes, func(other *witness) bool { return other.id == w.id }) {
				field := fmt.Sprintf("confirmer.Nodes()[%d]", i)
				return nil, &walletfi.ValidationError{Field: field, Problem: "is one of the others"}
			}
		}
		p.nodes = append(p.nodes, w)
	}
	if len(nodes) == 0 {
		return nil, &walletfi.ValidationError{Field: "confirmer.Nodes()", Problem: "are none"}
	}
	return p, nil
}

// Searches reports whether a node can search.
func (p *Panel) Searches() bool {
	return slices.ContainsFunc(p.nodes, func(w *witness) bool { return w.finder != nil })
}

var errNoAgreement = fmt.Errorf("%w: the nodes do not agree", walletfi.ErrUnavailable)

// SignatureStatuses tells of each signature what is agreed upon.
func (p *Panel) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	answers, err := gather(ctx, &p.members, func(ctx context.Context, w *witness) (walletfi.SignatureStatuses, error) {
		told, err := w.batch.SignatureStatuses(ctx, signatures)
		if n := len(told.Statuses); err == nil && n != len(signatures) {
			err = fmt.Errorf("%w: %d statuses for %d signatures", walletfi.ErrDecode, n, len(signatures))
		}
		return told, err
	})
	if err != nil {
		return walletfi.SignatureStatuses{}, err
	}
	statuses := make([]walletfi.SignatureStatus, len(signatures))
	for i := range signatures {
		statuses[i] = p.agreed(answers, i)
	}
	return walletfi.SignatureStatuses{Statuses: statuses}, nil
}

// agreed counts the votes on signature i. A node that has not reached the slot
// in which others saw the transaction has no vote against them.
func (p *Panel) agreed(answers []walletfi.SignatureStatuses, i int) walletfi.SignatureStatus {
	byErr := map[bool][]walletfi.SignatureStatus{}
	var missing []uint64
	for _, a := range answers {
		if s := a.Statuses[i]; s.Found {
			byErr[s.Err != ""] = append(byErr[s.Err != ""], s)
		} else {
			missing = append(missing, a.AsOfSlot)
		}
	}
	for failed, votes := range byErr {
		if len(votes) < p.quorum {
			continue
		}
		slices.SortFunc(votes, func(a, b walletfi.SignatureStatus) int {
			switch {
			case a.Commitment == b.Commitment:
				return 0
			case a.Commitment.AtLeast(b.Commitment):
				return -1 // what is settled more comes first
			}
			return 1
		})
		status := votes[p.quorum-1]
		against := len(byErr[!failed])
		for _, asOf := range missing {
			if asOf > status.Slot+maxBehind {
				against++
			}
		}
		if len(votes) > against {
			return status
		}
	}
	return walletfi.SignatureStatus{}
}

// maxBehind is how many slots after a transaction's a node that has it may still
// answer without it: an answer is put together from several places.
const maxBehind = 4

// Head tells a slot and a height that any honest node at that slot has reached:
// for some node's slot, what a quorum of those that are as far vouch for, if
// every slot since had a block.
func (p *Panel) Head(ctx context.Context) (now walletfi.Head, err error) {
	heads, err := gather(ctx, &p.members, func(ctx context.Context, w *witness) (walletfi.Head, error) {
		return w.head.Head(ctx)
	})
	if err != nil {
		return walletfi.Head{}, err
	}
	for _, at := range heads {
		var vouched []uint64
		for _, h := range heads {
			if h.Slot >= at.Slot && h.Height >= h.Slot-at.Slot {
				vouched = append(vouched, h.Height-(h.Slot-at.Slot))
			}
		}
		if len(vouched) < p.quorum {
			continue
		}
		slices.Sort(vouched)
		if agreed := vouched[len(vouched)-p.quorum]; agreed > now.Height {
			now = walletfi.Head{Slot: at.Slot, Height: agreed}
		}
	}
	if now.Height == 0 {
		return walletfi.Head{}, errNoAgreement
	}
	return now, nil
}

// most returns what a quorum and more than half of the answers say.
func (p *Panel) most(answers []string) (string, error) {
	by := map[string]int{}
	for _, answer := range answers {
		by[answer]++
		if n := by[answer]; n >= p.quorum && 2*n > len(answers) {
			return answer, nil
		}
	}
	return "", errNoAgreement
}

// Search returns a signature that is genuine, whichever node tells it, and "" if
// a quorum has searched in vain.
func (p *Panel) Search(
	ctx context.Context, owner string, message []byte, since uint64, genuine func(string) bool,
) (string, error) {
	found, err := gather(ctx, &p.members, func(ctx context.Context, w *witness) (string, error) {
		if w.finder == nil {
			return "", errors.ErrUnsupported
		}
		found, err := w.finder.FindMessage(ctx, walletfi.MessageSearch{Owner: owner, Message: message, Since: since})
		if err == nil && found.Signature != "" && !genuine(found.Signature) {
			err = fmt.Errorf("%w: the signature is another message's", walletfi.ErrMismatch)
		}
		return found.Signature, err
	})
	if err != nil {
		return "", err
	}
	if signature := slices.Max(found); signature != "" {
		return signature, nil
	}
	if len(found) < p.quorum {
		return "", errNoAgreement
	}
	return "", nil
}
