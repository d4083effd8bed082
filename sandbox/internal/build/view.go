package build

import (
	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// View reads the sandbox's ledger, for tests.
type View struct{ s *Chain }

// View returns the view of the ledger.
func (s *Chain) View() View { return View{s} }

// read runs f under the lock with the key that an address is; an address that
// is not one reads as nothing.
func (l View) read(address string, f func(solana.PublicKey)) {
	key, err := solana.PublicKeyFromBase58(address)
	if err != nil {
		return
	}
	l.s.Lock()
	defer l.s.Unlock()
	f(key)
}

// Balance returns the lamports at an address.
func (l View) Balance(address string) (lamports uint64) {
	l.read(address, func(k solana.PublicKey) { lamports = l.s.Balance(k) })
	return lamports
}

// TokenBalance does what sandbox.LedgerHandle.TokenBalance says.
func (l View) TokenBalance(wallet, mint string) (amount uint64) {
	l.read(wallet, func(k solana.PublicKey) {
		key, err := solana.PublicKeyFromBase58(mint)
		if err != nil {
			return
		}
		if of := l.s.Account(key); of != nil { // also a mint that no list has, as of an outcome
			amount = l.s.Holding(k, Token{Key: key, Owner: of.Owner})
		}
	})
	return amount
}

// Account returns the account at an address and whether there is one.
func (l View) Account(address string) (account play.Account, ok bool) {
	l.read(address, func(k solana.PublicKey) {
		if a := l.s.Account(k); a != nil {
			account, ok = play.Account{Lamports: a.Lamports, Owner: a.Owner.String(), Data: a.Data}, true
		}
	})
	return account, ok
}

// TokenAccount does what sandbox.LedgerHandle.TokenAccount says.
func (l View) TokenAccount(address string) (account play.TokenAccount, ok bool) {
	l.read(address, func(k solana.PublicKey) {
		t, is := ledger.AsToken(l.s.Account(k))
		if !is {
			return
		}
		ok = true
		account = play.TokenAccount{
			Mint: t.Mint().String(), Owner: t.Owner().String(), Amount: t.Amount(),
			Delegated: t.DelegatedAmount(), Native: t.Native(), Frozen: t.Frozen(),
		}
		if d, is := t.Delegate(); is {
			account.Delegate = d.String()
		}
		if c, is := t.CloseAuthority(); is {
			account.CloseAuthority = c.String()
		}
	})
	return account, ok
}

// AssociatedAccount does what sandbox.LedgerHandle.AssociatedAccount says.
func (l View) AssociatedAccount(wallet, mint string) (address string) {
	l.read(wallet, func(k solana.PublicKey) {
		if t, ok := l.s.TokenByMint(mint); ok {
			address = t.Account(k).String()
		}
	})
	return address
}

// TransactionStatus tells what became of a signature, base58.
func (l View) TransactionStatus(signature string) (status play.TransactionStatus) {
	key, err := solana.SignatureFromBase58(signature)
	if err != nil {
		return status
	}
	l.s.Lock()
	defer l.s.Unlock()
	commitment, r := l.s.Status(key)
	if r == nil {
		return status
	}
	status = play.TransactionStatus{Found: true, Commitment: commitment, Slot: r.Slot, Fee: r.Fee}
	if r.Err != nil {
		status.Err = r.Err.Error()
	}
	return status
}

// Slot returns the current slot.
func (l View) Slot() uint64 { return kit.Under(l.s, func() uint64 { return l.s.CurrentSlot() }) }

// BlockHeight returns the current block height.
func (l View) BlockHeight() uint64 { return l.s.Height(l.Slot()) }
