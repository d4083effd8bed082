package burnclose

import (
	"bytes"
	"fmt"
	"math/big"
	"net/http"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// perTransaction is how many accounts one transaction closes. With a
// harvest before each, a sponsor and a partner it still fits.
const perTransaction = 8

// signatureFee is the ledger's fee for a signature, lamports.
const signatureFee = 5000

// job describes one transaction. A preview, the instructions and
// the transaction all come from it, so that they agree.
type job struct {
	options
	accounts []account
	burn     uint64 // of the only account, 0 for none
	closes   bool
}

// operation is its kind in one word.
func (j job) operation() string {
	switch {
	case j.burn > 0 && j.closes:
		return "burn_and_close"
	case j.burn > 0:
		return "burn"
	}
	return "close"
}

// reclaimed is the sum of the deposits, before any fee, lamports.
func (j job) reclaimed() (lamports uint64) {
	if j.closes {
		for _, x := range j.accounts {
			lamports += x.lamports
		}
	}
	return lamports
}

// partnerFee is the partner's share of the deposits, rounded account by
// account so that it is the same however they are grouped. What the wallet had
// wrapped or sent there itself is not shared.
func (j job) partnerFee() (lamports uint64) {
	if j.closes {
		for _, x := range j.accounts {
			lamports += x.deposit * j.partnerBps / 10_000
		}
	}
	return lamports
}

func (j job) units() uint32 { return uint32(25_000 + 10_000*len(j.accounts)) }

// networkFee is the base fee of the signatures that there will be.
func (j job) networkFee() uint64 {
	if j.payer != j.user {
		return 2 * signatureFee
	}
	return signatureFee
}

// priorityFee is price times limit, rounded up to whole lamports.
func (j job) priorityFee() uint64 {
	n := new(big.Int).SetUint64(j.unitPrice)
	n.Mul(n, big.NewInt(int64(j.units()))).Add(n, big.NewInt(999_999)).Quo(n, big.NewInt(1_000_000))
	return build.Capped(n)
}

// check refuses a fee that would leave the partner's account with too little
// to stay on the ledger: such a transaction could not land.
func (b *Service) check(j job) {
	fee := j.partnerFee()
	held := b.Chain.Balance(j.partner)
	kit.BadIf(fee > 0 && held+fee < ledger.Rent(0),
		"the partner fee account holds %d lamports; with a fee of %d it could not stay on the ledger", held, fee)
}

// planBurn decides what a burn does.
func (b *Service) planBurn(c *kit.Call, in burnRequest) (j job) {
	j.options = in.options(c)
	x := b.asset(c, j.user, in.Asset)
	j.burn = uint64(kit.Or(in.Amount, amount(x.amount)))
	kit.BadIf(x.native, "wrapped SOL cannot be burned; close its account")
	kit.BadIf(x.frozen, "the token account is frozen")
	kit.BadIf(x.amount == 0, "the token account is empty; close it")
	kit.BadIf(j.burn > x.amount, "the token account holds %d", x.amount)
	j.accounts = []account{x}
	j.closes = j.burn == x.amount && x.closer == j.user && kit.Or(in.AutoClose, true)
	b.check(j)
	return j
}

// planClose decides what a close does. Wrapped SOL comes back as lamports;
// anything else has to be burned first.
func (b *Service) planClose(c *kit.Call, in closeRequest) (j job) {
	j.options = in.options(c)
	x := b.asset(c, j.user, in.Asset)
	kit.BadIf(x.amount > 0 && !x.native, "the token account still holds %d; burn them", x.amount)
	kit.BadIf(x.closer != j.user, "the token account is %s's to close", x.closer)
	j.accounts, j.closes = []account{x}, true
	b.check(j)
	return j
}

// batch is a window on all that a user can close.
type batch struct {
	jobs          []job
	total         int // closable accounts, in the window or not
	offset, count int
}

// planBatch lays a window's accounts out over transactions of at most so many
// accounts. As they are closed, the following ones move up.
func (b *Service) planBatch(c *kit.Call, in batchRequest, perTransaction int) (w batch) {
	o := in.options(c)
	all := b.accounts(o.user, func(x account) bool { return x.closable(o.user) })
	w.total, w.offset = len(all), in.Offset
	all = all[min(in.Offset, len(all)):]
	if in.Limit != nil {
		all = all[:min(*in.Limit, len(all))]
	}
	w.count = len(all)
	for len(all) > 0 {
		n := min(perTransaction, len(all))
		j := job{options: o, accounts: all[:n], closes: true}
		b.check(j)
		w.jobs, all = append(w.jobs, j), all[n:]
	}
	return w
}

// sum adds up what a function says of each transaction.
func (w batch) sum(f func(job) uint64) (total uint64) {
	for _, j := range w.jobs {
		total += f(j)
	}
	return total
}

// build makes the transaction of a job.
func (b *Service) build(j job) build.Built {
	return b.Chain.Build(play.BurnClose, build.Unsigned{
		Owner: j.user, Payer: j.payer, Legacy: j.legacy, UnitLimit: j.units(), UnitPrice: j.unitPrice,
		Instructions: j.instructions(),
	})
}

// account is a token account of the user's.
type account struct {
	address, program, mint solana.PublicKey
	decimals               uint8
	amount                 uint64
	lamports               uint64 // all that closing it reclaims
	deposit                uint64 // the rent in it
	withheld               bool   // to be harvested before it can be closed
	native, frozen         bool
	closer                 solana.PublicKey
}

// account reads the token account at an address, if the user owns it.
func (b *Service) account(user, address solana.PublicKey, a *ledger.Account) (account, bool) {
	t, ok := ledger.AsToken(a)
	if !ok || t.Owner() != user {
		return account{}, false
	}
	closer, ok := t.CloseAuthority()
	if !ok {
		closer = user
	}
	m, _ := ledger.AsMint(b.Chain.Account(t.Mint()))
	x := account{
		address: address, program: a.Owner, mint: t.Mint(), amount: t.Amount(),
		lamports: a.Lamports, deposit: min(a.Lamports, ledger.Rent(len(a.Data))),
		withheld: t.Withheld() > 0, native: t.Native(), frozen: t.Frozen(), closer: closer,
	}
	if m != nil {
		x.decimals = m.Decimals()
	}
	return x, true
}

// accounts returns the user's accounts for which keep is true, sorted by
// address, the order of a batch.
func (b *Service) accounts(user solana.PublicKey, keep func(account) bool) []account {
	var found []account
	b.Chain.Each(func(key solana.PublicKey, a *ledger.Account) bool {
		if x, ok := b.account(user, key, a); ok && keep(x) {
			found = append(found, x)
		}
		return true
	})
	slices.SortFunc(found, func(x, y account) int { return bytes.Compare(x.address[:], y.address[:]) })
	return found
}

// closable reports whether the user can close the account as it is.
func (x account) closable(user solana.PublicKey) bool { return x.amount == 0 && x.closer == user }

// asset finds the token account that an asset names: a mint of which the user
// has one, or the account itself.
func (b *Service) asset(c *kit.Call, user solana.PublicKey, id string) account {
	key := c.Key(id, "assetId")
	if x, ok := b.account(user, key, b.Chain.Account(key)); ok {
		return x
	}
	found := b.accounts(user, func(x account) bool { return x.mint == key })
	kit.RefuseIf(len(found) == 0, http.StatusNotFound, "", "the wallet has no token account of %s", id)
	for _, x := range found {
		if x.address == ledger.Associated(user, key, x.program) {
			return x
		}
	}
	return found[0]
}

// OpenEmptyAccounts does what sandbox.BurnCloseHandle.OpenEmptyAccounts says.
func (b *Service) OpenEmptyAccounts(wallet string, n int) ([]string, error) {
	owner, err := solana.PublicKeyFromBase58(wallet)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %q is no address", wallet)
	}
	if n < 0 || n > 10_000 {
		return nil, fmt.Errorf("sandbox: n must be from 0 to 10,000, not %d", n)
	}
	b.Lock()
	defer b.Unlock()
	addresses := make([]string, 0, n)
	for range n {
		mint := build.PublicKey(b.Keypair(fmt.Sprintf("mint of an empty account %016x", b.Random())))
		b.PutMint(mint, ledger.NewMint{Authority: build.PublicKey(b.Keypair("mint authority"))})
		account, ok := b.MintTo(owner, mint, 0)
		if !ok {
			return nil, fmt.Errorf("sandbox: no account of %s could be made", mint)
		}
		addresses = append(addresses, account.String())
	}
	return addresses, nil
}
