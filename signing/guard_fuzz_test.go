package signing

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/program"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// FuzzGuard runs any bytes through the guard under a rich and under an empty
// intent: it never panics, never takes memory beyond a small bound, and what
// an empty intent lets pass moves no lamports of the owner's to anybody else.
func FuzzGuard(f *testing.F) {
	for _, format := range txbuild.Formats {
		f.Add(wide().bytes(format))
		f.Add(ordinary(spl.Batch(spl.Transfer(ourUSDC, vault, owner, 1))).bytes(format))
		f.Add(ordinary(txbuild.Transfer(owner, thief, 5)).with(behindTables).bytes(format))
		f.Add(ordinary(txbuild.CreateAccountWithSeed(owner, SeedAddress(owner, "s", TokenProgram), owner, "s", accountRent, 165, TokenProgram)).bytes(format))
	}
	rich := ordinary()
	guard := NewGuard(rich.policy)
	empty := walletfi.Intent{Owner: owner.String(), MaxRentLamports: new(walletfi.Amount(0))}
	f.Fuzz(func(t *testing.T, b []byte) {
		tx, err := DecodeBytes(b)
		if err != nil {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, richErr := guard.Check(t.Context(), tx, rich.intent)
		_, emptyErr := guard.Check(t.Context(), tx, empty)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(1<<20))
		require.Equal(t, b, tx.Bytes())
		if richErr != nil {
			require.ErrorIs(t, richErr, ErrRefused)
		}
		if emptyErr == nil {
			requireNothingLeaves(t, tx)
		}
	})
}

func requireNothingLeaves(t *testing.T, tx *Transaction) {
	keys := tx.AccountKeys()
	for _, ins := range tx.Instructions() {
		if ins.Program != SystemProgram || len(ins.Data) < 12 || ins.Data[0] != program.Transfer || len(ins.Accounts) < 2 {
			continue
		}
		from := keys[ins.Accounts[0]]
		lamports := [8]byte(ins.Data[4:12])
		if from != owner || lamports == [8]byte{} {
			continue
		}
		require.Less(t, int(ins.Accounts[1]), len(keys))
		to := keys[ins.Accounts[1]]
		wrapped := []PublicKey{owner, listed, ourWrapped, AssociatedTokenAddress(owner, NativeMintToken2022, Token2022Program)}
		require.True(t, contains(wrapped, to) || ourAtSomeMint(tx, to), "lamports to %s", to)
	}
}

func contains(list []PublicKey, k PublicKey) bool {
	for _, one := range list {
		if one == k {
			return true
		}
	}
	return false
}

// ourAtSomeMint reports whether to is an associated account of ours of any
// key of the transaction, or an account that it makes.
func ourAtSomeMint(tx *Transaction, to PublicKey) bool {
	for _, mint := range tx.AccountKeys() {
		if to == AssociatedTokenAddress(owner, mint, TokenProgram) || to == AssociatedTokenAddress(owner, mint, Token2022Program) {
			return true
		}
	}
	for _, ins := range tx.Instructions() {
		if ins.Program == SystemProgram && len(ins.Data) > 0 && ins.Data[0] != program.Transfer || ins.Program == AssociatedTokenProgram {
			return true
		}
	}
	return false
}
