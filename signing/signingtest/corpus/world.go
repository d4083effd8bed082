package corpus

import "github.com/walletfi/walletfi-go/signing/internal/txbuild"

// Ledger lists the accounts that the cases need.
type Ledger struct {
	Mints    []Mint
	Wallets  map[Key]uint64 // lamports
	Holdings []Holding      // in associated accounts
	Accounts []TokenAccount // elsewhere
	Programs []Key          // that are pinned; they do nothing
	Nonce    NonceAccount
}

// Mint is a mint of the ledger.
type Mint struct {
	Address, Program Key
	Decimals         uint8
	FeeBasisPoints   uint16 // withheld of each transfer
}

// Holding is a wallet's balance of a mint.
type Holding struct {
	Wallet, Mint Key
	Amount       uint64
}

// TokenAccount is a token account at an address that nothing derives.
type TokenAccount struct {
	Address, Program, Mint, Owner Key
	Amount                        uint64
}

// NonceAccount is a durable nonce.
type NonceAccount struct{ Account, Authority, Value Key }

// NewLedger is the ledger of a configuration's cases. A case that closes an
// account wants it empty; what it has to hold is the caller's to vary.
func NewLedger(c Config) Ledger {
	k := newCast(c)
	const sol = 1_000_000_000
	l := Ledger{
		Mints: []Mint{
			{Address: txbuild.NativeMint, Program: spl.Program, Decimals: 9},
			{Address: txbuild.NativeMint2022, Program: t22.Program, Decimals: 9},
			{Address: k.usdc, Program: spl.Program, Decimals: 6},
			{Address: k.pump, Program: t22.Program, Decimals: 6, FeeBasisPoints: 100},
			{Address: k.bonk, Program: t22.Program, Decimals: 5},
			{Address: k.closable, Program: t22.Program},
		},
		Wallets: map[Key]uint64{
			k.owner:   2000 * sol,
			k.maker:   100 * sol,
			k.sponsor: 100 * sol,
			k.friend:  sol,
			k.thief:   sol,
			k.relay:   sol,
			k.partner: sol,
			k.pool:    sol,
		},
		Accounts: []TokenAccount{{k.listed, spl.Program, k.usdc, k.owner, 10 * k.spendUSDC},
			{k.listedBonk, t22.Program, k.bonk, k.owner, 1 << 41},
			{k.makersBonk, t22.Program, k.bonk, k.maker, 10_000},
			{k.listedPump, t22.Program, k.pump, k.owner, 10 * k.spendPump}},
		Programs: []Key{k.exchange},
		Nonce:    NonceAccount{k.nonce, k.owner, k.blockhash},
	}
	for _, mint := range k.emptied {
		l.Mints = append(l.Mints, Mint{Address: mint, Program: spl.Program})
		l.Holdings = append(l.Holdings, Holding{k.owner, mint, 0})
	}
	for _, wallet := range []Key{k.owner, k.maker, k.partner} {
		l.Holdings = append(l.Holdings, Holding{wallet, k.usdc, 10 * k.spendUSDC},
			Holding{wallet, txbuild.NativeMint, 10 * sol},
			Holding{wallet, k.pump, 10 * k.spendPump})
	}
	l.Holdings = append(l.Holdings, Holding{k.owner, k.bonk, 10 * k.burnBonk}, Holding{k.maker, k.bonk, 0},
		Holding{k.friend, k.usdc, 1}, Holding{k.friend, k.pump, 1},
		Holding{k.owner, k.closable, 1000}, Holding{k.thief, k.closable, 1000})
	return l
}
