package burnclose

import (
	"encoding/json"
	"fmt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
)

// MaxReclaimPerAccount is the amount that closing one account is assumed to
// return at most, in lamports, when a partner's fee is bounded: 0.02 SOL. The
// deposit of a plain token account is about 0.002 SOL, that of an asset with
// its metadata and edition about 0.012. An account that holds wrapped SOL can
// return more; to share that with a partner, raise the ServiceFee of the
// intent.
const MaxReclaimPerAccount walletfi.Amount = 20_000_000

// maxAccountsPerTransaction is how many accounts one transaction can lock, and
// so close.
const maxAccountsPerTransaction = 64

// Reclaimed is the amount that an answer says is returned. Whether fees are
// deducted is not documented.
type Reclaimed struct {
	// Lamports is nil if no known field of the answer holds the amount.
	Lamports *walletfi.Amount
	// SOL is the same amount as the service writes it in SOL, or zero.
	SOL walletfi.Decimal
}

// The names under which the amounts are looked up, likeliest first, and the
// members of an answer that may hold them.
var (
	lamportNames = []string{"reclaimedLamports", "lamportsReclaimed", "totalReclaimedLamports", "totalLamportsReclaimed",
		"reclaimLamports", "totalReclaimLamports", "estimatedReclaimLamports"}
	solNames = []string{"reclaimedSol", "reclaimedSOL", "solReclaimed", "totalReclaimedSol", "totalSolReclaimed",
		"reclaimSol", "totalReclaimSol", "estimatedReclaimSol"}
	insideNames = []string{"reclaimed", "reclaim", "totals", "total", "summary"}
)

// reclaimedIn looks for the amounts in an answer. The error is of lamports that are there
// and are no amount.
func reclaimedIn(answer members) (r Reclaimed, err error) {
	r.Lamports, err = lamports(answer, lamportNames)
	r.SOL = decimal(answer, solNames)
	for _, name := range insideNames {
		inside := readMembers(answer[name])
		if r.Lamports == nil && err == nil {
			r.Lamports, err = lamports(inside, append([]string{"lamports"}, lamportNames...))
		}
		if r.SOL.IsZero() {
			r.SOL = decimal(inside, append([]string{"sol"}, solNames...))
		}
	}
	return r, err
}

func lamports(m members, names []string) (amount *walletfi.Amount, err error) {
	for _, name := range names {
		if text := m[name]; !absent(text) {
			if unfit := json.Unmarshal(text, &amount); unfit == nil {
				return amount, nil
			}
			amount, err = nil, fmt.Errorf("field %s: is no amount", name)
		}
	}
	return nil, err
}

func decimal(m members, names []string) walletfi.Decimal {
	for _, name := range names {
		var d walletfi.Decimal
		if text := m[name]; !absent(text) && json.Unmarshal(text, &d) == nil && !d.IsZero() {
			return d
		}
	}
	return walletfi.Decimal{}
}

// partnerFeeCap returns the most that the partner may earn from closing so many
// accounts. The answer can lower it but never raise it, because the service
// writes the answer.
func (t Terms) partnerFeeCap(accounts uint64, r Reclaimed) walletfi.Amount {
	if t.PartnerFeeBps == nil || *t.PartnerFeeBps <= 0 {
		return 0
	}
	bps := uint64(*t.PartnerFeeBps)
	fee := portion.Up(walletfi.Amount(accounts)*MaxReclaimPerAccount, bps, 10_000)
	if r.Lamports != nil {
		// If the amount excludes the fee, the fee is this share of it.
		// If it is the whole amount, the fee is less.
		fee = min(fee, portion.Up(*r.Lamports, bps, 10_000-bps))
	}
	return fee
}
