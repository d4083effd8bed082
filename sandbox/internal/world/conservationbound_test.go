package world_test

import (
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/signing"
)

// The kinds of findings.
const (
	aboveCaps   = "loss above the caps"
	beyondReach = "loss out of accounts that the report does not say programs reach"
	secondTip   = "lamports beyond spend, tip, fees and the rent of new accounts"
	sponsorFee  = "network fee of a sponsored set"
	powers      = "power over an account of the owner's"
	missed      = "arrival missed"
	untold      = "cost more than the report says"
	blind       = "signed on no simulated outcome"
	unproved    = "report says simulated, and it was not"
)

// finding is a thing one set did that it may not do.
type finding struct {
	kind, why string
	set       int // index in the play
}

// done is a set that was signed, with its end.
type done struct {
	*act
	index  int
	signed []*signing.Transaction
	report *signing.Report
	reach  map[string]uint64 // what pinned programs could take, by mint

	net, out map[string]int64
	taken    []string
	// Lamports: of others' new accounts, of ours that were closed beside a sponsor, for
	// the network.
	rent, closed, fee uint64
	landed            int
	failed            int
	told, arrived     bool  // whether what the report says, and what arrives, can be asked for
	blind, unproved   []int // transactions without an outcome that call a pinned program; that are said to have one
}

// judge says what a set did that it may not. lent are the delegates that the
// owner has named, by then.
func (d *done) judge(lent []string) (all []finding) {
	find := func(kind, format string, args ...any) {
		all = append(all, finding{kind, fmt.Sprintf(format, args...), d.index})
	}
	intent, most := d.drawn.Unsigned.Intent, d.most()
	for mint, net := range d.net {
		loss := uint64(max(0, -net))
		if loss > most[mint] && !slices.Contains(intent.BurnAll, mint) {
			kind := aboveCaps
			if d.reach != nil {
				kind = beyondReach
			}
			find(kind, "%d of %s lost, %d allowed", loss, mint, most[mint])
		}
		if strict := d.strict(); mint == walletfi.NativeMint && loss > strict && loss <= most[mint] {
			find(secondTip, "%d lamports lost, %d allowed: of %d for rent, %d made new accounts", loss, strict,
				rentCap(intent), d.rent)
		}
		if told := d.tells(mint); d.told && loss > told {
			find(untold, "%d of %s lost, the report says %d", loss, mint, told)
		}
	}
	if intent.Sponsor != "" && d.fee > 0 {
		find(sponsorFee, "%d lamports of the owner's for the network, and %s was to pay", d.fee, intent.Sponsor)
	}
	for _, other := range d.taken {
		if !slices.Contains(lent, other) {
			find(powers, "%s has power over an account of the owner's", other)
		}
	}
	return append(all, d.judgeProofs()...)
}

func (d *done) judgeProofs() (all []finding) {
	if len(d.blind) > 0 {
		all = append(all, finding{blind, fmt.Sprintf("transactions %v (from 0)", d.blind), d.index})
	}
	if len(d.unproved) > 0 {
		all = append(all, finding{unproved, fmt.Sprintf("transactions %v (from 0)", d.unproved), d.index})
	}
	for _, a := range d.drawn.Unsigned.Intent.Receive {
		if got := d.net[a.Mint] + max(0, d.out[a.Mint]); d.arrived && got < int64(a.Amount) {
			why := fmt.Sprintf("%d of %s arrived, at least %d expected", got, a.Mint, a.Amount)
			all = append(all, finding{missed, why, d.index})
		}
	}
	return all
}

// deceives reports whether a simulation may succeed that is not what happens. A call
// that is signed on no simulation at all is a finding of its own.
func (a *act) deceives() bool { return a.temper == turncoat || slices.Contains(a.moods, lies) }

// most are the caps of a set: those of its intent, and with the exchange a
// turncoat or the node lying also what the report says that pinned programs may
// write. The rent of an account that is closed to a named sponsor is the sponsor's.
func (d *done) most() map[string]uint64 {
	most := caps(d.drawn.Unsigned.Intent)
	most[walletfi.NativeMint] += d.closed
	for mint, n := range d.reach {
		most[mint] += n
	}
	return most
}

func rentCap(i walletfi.Intent) uint64 {
	rent := walletfi.Amount(signing.DefaultMaxRentLamports)
	if i.MaxRentLamports != nil {
		rent = *i.MaxRentLamports
	}
	return uint64(rent + i.MaxForeignRentLamports)
}

// strict is the cap of SOL with no more rent than new accounts took, and no more
// network fee than was charged.
func (d *done) strict() uint64 {
	intent := d.drawn.Unsigned.Intent
	fee := walletfi.Amount(signing.DefaultMaxNetworkFeeLamports)
	if intent.MaxNetworkFeeLamports != nil {
		fee = *intent.MaxNetworkFeeLamports
	}
	unused := rentCap(intent) - min(rentCap(intent), d.rent) + uint64(fee) - min(uint64(fee), d.fee)
	return d.most()[walletfi.NativeMint] - unused
}

// tells returns how much the report says leaves of a mint.
func (d *done) tells(mint string) (n uint64) {
	if mint == walletfi.NativeMint {
		n = uint64(d.report.NetworkFeeLamports()) + sponsored(d.report)
	}
	for _, m := range d.report.Leaves {
		if m.Mint.String() == mint {
			n += uint64(m.Amount)
		}
	}
	return n
}

// sponsored is the rent that accounts leave to somebody else who were to be
// closed; of others it is among what the report says that leaves.
func sponsored(report *signing.Report) (lamports uint64) {
	for _, n := range report.Notes {
		if n.Kind == signing.NoteClose && n.Text != "" && n.To != report.Owner {
			lamports += ledger.Rent(195)
		}
	}
	return lamports
}
