package signing

import (
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/caps"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/rule"
)

// reportOf publishes what the judge found.
func reportOf(f *judge.Findings) *Report {
	// Room for what an ordinary transfer reports, in one allocation. It lives as long as the
	// payment: room that is not used for the other lists would make it a third larger.
	room := new(struct {
		Report
		transactions [1]TransactionReport
		leaves       [1]Movement
	})
	r := &room.Report
	r.Owner, r.Service = PublicKey(f.Owner), f.Service
	r.Simulated, r.Unresolved, r.Unproven = f.Simulated, f.Unresolved, f.Unproven
	r.Slot, r.Untold = f.Slot, f.Untold
	r.BlockHeight, r.LastValidBlockHeight = f.BlockHeight, f.LastValid
	r.Transactions = room.transactions[:0]
	for i := range f.Transactions {
		r.Transactions = append(r.Transactions, transactionReport(&f.Transactions[i]))
	}
	r.Leaves = movements(room.leaves[:0], f.Leaves)
	r.Stays = movements(nil, f.Stays)
	r.Reaches = slices.Grow(r.Reaches, len(f.Reaches))
	for i := range f.Reaches {
		from := &f.Reaches[i]
		r.Reaches = append(r.Reaches, Reach{Transaction: from.Transaction, Instruction: from.Instruction,
			Program: PublicKey(from.Program), Ours: keysOf[PublicKey](f.Ours(from)), Unknown: from.Unknown,
			Grade: grades[from.Grade], Roles: rolesOf(from.Roles), Unsigned: !from.Signed,
			Unshown: from.Unshown, Within: keysOf[PublicKey](from.Within), Positions: keysOf[PublicKey](from.Positions)})
	}
	for _, b := range f.Blind {
		r.Blind = append(r.Blind, Blind(b))
	}
	r.Notes = slices.Grow(r.Notes, len(f.Notes))
	for i := range f.Notes {
		n := &f.Notes[i]
		r.Notes = append(r.Notes, Note{
			n.Transaction, n.Instruction, NoteKind(n.Kind), PublicKey(n.Account), PublicKey(n.To), walletfi.Amount(n.Amount),
			n.Text,
		})
	}
	r.Arrives, r.Brings, r.Exposed, r.Left = assets(f.Arrives), assets(f.Brings), assets(f.Exposed), assets(f.Left)
	for i, refusal := range f.Refusals {
		if i == 0 {
			r.Refusal = guardError(refusal)
		} else {
			r.Also = append(r.Also, guardError(refusal))
		}
	}
	return r
}

func assets(from []caps.Limit) (to []walletfi.Asset) {
	for _, a := range from {
		to = append(to, walletfi.Asset{Mint: a.Mint.String(), Amount: walletfi.Amount(a.Most)})
	}
	return to
}

func transactionReport(t *judge.Transaction) TransactionReport {
	return TransactionReport{Version: Version(t.Version).String(), FeePayer: PublicKey(t.FeePayer),
		BaseFeeLamports: walletfi.Amount(t.BaseFee), PriorityLamports: walletfi.Amount(t.Priority),
		SignedBy:           keysOf[PublicKey](t.SignedBy),
		AwaitsSignaturesOf: keysOf[PublicKey](t.AwaitsSignaturesOf), Named: keysOf[PublicKey](t.Named),
		JudgedBy: evidence[t.JudgedBy]}
}

func movements(to []Movement, from []judge.Movement) []Movement {
	to = slices.Grow(to, len(from))
	for i := range from {
		m := &from[i]
		if m.Amount == 0 {
			continue // it passed through the owner's accounts
		}
		to = append(to,
			Movement{Transaction: m.Transaction, Instruction: m.Instruction, Simulated: m.Simulated, Rule: Rule(m.Rule),
				Mint: PublicKey(m.Mint), Amount: walletfi.Amount(m.Amount), To: PublicKey(m.To),
				Wallet: PublicKey(m.Wallet), Hidden: m.Hidden, CountsAs: counts(m.As)})
	}
	return to
}

func counts(as caps.Bucket) Counts {
	switch as {
	case caps.Spend:
		return CountsAsSpend
	case caps.Tip:
		return CountsAsTip
	case caps.Fee:
		return CountsAsFee
	case caps.Rent:
		return CountsAsRent
	case caps.ForeignRent:
		return CountsAsForeignRent
	case caps.Burn:
		return CountsAsBurn
	}
	return ""
}

// guardError publishes a refusal.
func guardError(r *rule.Refusal) *GuardError {
	return &GuardError{Rule: Rule(r.Rule), Transaction: r.Transaction, Instruction: r.Instruction, Simulated: r.Simulated,
		Program: PublicKey(r.Program), Found: r.Found, Allowed: r.Allowed}
}

// keysOf copies keys. It is nil for an empty slice.
func keysOf[To, From ~[32]byte](from []From) []To {
	if len(from) == 0 {
		return nil
	}
	to := make([]To, len(from))
	for i := range from {
		to[i] = To(from[i])
	}
	return to
}
