package burnclose

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/portion"
	"github.com/walletfi/walletfi-go/internal/wire"
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

// reclaimedIn looks for the amounts in an answer. The error is of one that is there and is
// none, or of two that differ.
func reclaimedIn(answer members) (r Reclaimed, err error) {
	r.Lamports, err = lamports(answer, lamportNames)
	sol, unfit := decimal(answer, solNames)
	for _, name := range insideNames {
		inside := readMembers(answer[name])
		if r.Lamports == nil && err == nil {
			r.Lamports, err = lamports(inside, append([]string{"lamports"}, lamportNames...))
		}
		if sol.IsZero() && unfit == nil {
			sol, unfit = decimal(inside, append([]string{"sol"}, solNames...))
		}
	}
	r.SOL = sol
	if err = cmp.Or(err, unfit); err == nil && r.differ() {
		err = &wire.FieldError{Path: "reclaimed", Problem: "has lamports and SOL that differ"}
	}
	return r, err
}

// previewed reads an answer whose members are not documented, of which one must say something
// besides success.
func previewed(b []byte) (members, Reclaimed, error) {
	answer := readMembers(b)
	if !wire.SaySomething(answer) {
		return nil, Reclaimed{}, errNothing
	}
	r, err := reclaimedIn(answer)
	return answer, r, err
}

var errNothing = errors.New("the answer says nothing")

// isAny reports whether an amount is there that is not 0.
func (r Reclaimed) isAny() bool { return r.Lamports != nil && *r.Lamports > 0 || r.SOL.Sign() > 0 }

// differ compares the two amounts, if both are there. That in SOL may be rounded, but not to 0,
// and may have the error of a float.
func (r Reclaimed) differ() bool {
	if r.Lamports == nil || r.SOL.IsZero() {
		return false
	}
	_, fraction, _ := strings.Cut(r.SOL.Plain(), ".")
	is := walletfi.MustDecimal(r.Lamports.UI(lamportDigits))
	unit := walletfi.MustDecimal("1e-" + strconv.Itoa(min(len(fraction), lamportDigits)))
	isSame := r.SOL.Cmp(is.Round(unit)) == 0 || r.SOL.Cmp(is.Floor(unit)) == 0 ||
		len(fraction) > lamportDigits && r.SOL.Round(unit).Cmp(is) == 0
	return !isSame || r.SOL.Sign() != is.Sign()
}

// lamportDigits are the digits of SOL after the point.
const lamportDigits = 9

func lamports(m members, names []string) (amount *walletfi.Amount, err error) {
	for _, name := range names {
		if text := m[name]; !absent(text) {
			if unfit := json.Unmarshal(text, &amount); unfit == nil {
				return amount, nil
			}
			amount, err = nil, &wire.FieldError{Path: name, Problem: "is no amount"}
		}
	}
	return nil, err
}

func decimal(m members, names []string) (walletfi.Decimal, error) {
	for _, name := range names {
		var d walletfi.Decimal
		if text := m[name]; !absent(text) {
			if json.Unmarshal(text, &d) != nil || !d.Valid() || d.IsZero() || d.Sign() < 0 {
				return walletfi.Decimal{}, &wire.FieldError{Path: name, Problem: "is no amount of SOL"}
			}
			return d, nil
		}
	}
	return walletfi.Decimal{}, nil
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
