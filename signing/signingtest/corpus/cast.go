package corpus

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// The rent of the accounts that wallets meet, in lamports.
const (
	accountRent = (165 + 128) * 6960
	mintRent    = (82 + 128) * 6960
)

var spl, t22 = txbuild.SPLToken, txbuild.Token2022

// cast is the keys and accounts of a seed, and the amounts at stake.
type cast struct {
	seed             uint64
	owner, blockhash Key
	privates         map[Key]ed25519.PrivateKey

	usdc, pump, bonk Key    // mints: of Token; of Token-2022 with a transfer fee; of Token-2022
	exchange, rogue  Key    // programs: pinned, and not pinned
	friend, thief    Key    // a destination that requests name, and who it is all for
	relay, partner   Key    // who takes tips, and who takes fees
	named            Key    // a delegate that requests name
	multisig, listed Key    // a key and an account of ours that the policy lists
	listedBonk       Key    // another account that it lists, of bonk
	listedPump       Key    // another one, of pump
	closable         Key    // a mint of Token-2022 that the thief made
	emptied          [4]Key // mints of Token of which our accounts are empty
	makersBonk       Key    // an account of the maker's, of bonk
	guarded, pool    Key    // an account that the policy protects, and one of the exchange's
	nonce, table     Key
	// Who signs: a fee payer, a market maker, the key of a new account.
	sponsor, maker, fresh Key

	ourUSDC, ourPump, ourBonk, ourSOL         Key // associated accounts
	vault, vaultPump, vaultSOL, thiefs, other Key // USDC, pump and SOL of the maker; USDC of the thief and of the friend

	spend, tip, fee                          uint64 // lamports
	spendUSDC, spendPump, burnBonk, takeUSDC uint64
}

func newCast(c Config) *cast {
	k := &cast{seed: c.Seed, owner: c.Owner, blockhash: c.Blockhash, privates: map[Key]ed25519.PrivateKey{}}
	if k.blockhash == (Key{}) {
		k.blockhash = k.address("blockhash")
	}
	for name, to := range map[string]*Key{
		"usdc": &k.usdc, "pump": &k.pump, "bonk": &k.bonk, "exchange": &k.exchange, "rogue": &k.rogue,
		"multisig": &k.multisig, "listed": &k.listed, "listed bonk": &k.listedBonk,
		"listed pump": &k.listedPump, "closable": &k.closable,
		"maker's bonk": &k.makersBonk, "guarded": &k.guarded, "pool": &k.pool, "nonce": &k.nonce, "table": &k.table,
	} {
		*to = k.address(name)
	}
	for i := range k.emptied {
		k.emptied[i] = k.address(fmt.Sprint("empty ", i))
	}
	for name, to := range map[string]*Key{
		"friend": &k.friend, "thief": &k.thief, "relay": &k.relay, "partner": &k.partner, "named": &k.named,
		"sponsor": &k.sponsor, "maker": &k.maker, "fresh": &k.fresh,
	} {
		*to = k.signer(name)
	}
	k.ourUSDC = txbuild.Associated(k.owner, k.usdc, spl.Program)
	k.ourSOL = txbuild.Associated(k.owner, txbuild.NativeMint, spl.Program)
	k.ourPump = txbuild.Associated(k.owner, k.pump, t22.Program)
	k.ourBonk = txbuild.Associated(k.owner, k.bonk, t22.Program)
	k.vault = txbuild.Associated(k.maker, k.usdc, spl.Program)
	k.vaultSOL = txbuild.Associated(k.maker, txbuild.NativeMint, spl.Program)
	k.vaultPump = txbuild.Associated(k.maker, k.pump, t22.Program)
	k.thiefs, k.other = txbuild.Associated(k.thief, k.usdc, spl.Program), txbuild.Associated(k.friend, k.usdc, spl.Program)
	k.stakes()
	return k
}

// stakes draws the amounts, round ones and a few units more.
func (k *cast) stakes() {
	r := rand.New(rand.NewPCG(k.seed, 0x77616c6c65740a))
	about := func(n uint64) uint64 { return n + r.Uint64N(n/10) }
	k.spend, k.tip, k.fee = about(1_000_000_000), about(2_000_000), about(1_000_000)
	k.spendUSDC, k.spendPump, k.burnBonk, k.takeUSDC = about(500_000_000), about(70_000_000), about(40_000), about(50_000)
}

func (k *cast) digest(kind, name string) Key {
	return sha256.Sum256(append(binary.LittleEndian.AppendUint64([]byte("corpus "+kind+" "), k.seed), name...))
}

// address is an address without a private key.
func (k *cast) address(name string) Key { return k.digest("address", name) }

// signer is an address whose private key the corpus has.
func (k *cast) signer(name string) Key {
	seed := k.digest("key", name)
	private := ed25519.NewKeyFromSeed(seed[:])
	public := Key(private[32:])
	k.privates[public] = private
	return public
}

func text(k Key) string { return base58.Encode(k[:]) }

// some is an amount of a mint.
func some(mint Key, amount uint64) walletfi.Asset {
	return walletfi.Asset{Mint: text(mint), Amount: walletfi.Amount(amount)}
}

// build is a transaction that the owner pays for. A v1 transaction
// without limits of units and of loaded bytes has limits of 0.
func (k *cast) build(instructions ...ins) txbuild.Transaction {
	config := txbuild.Config{UnitLimit: new(uint32(600_000)), DataLimit: new(uint32(64 << 20))}
	return txbuild.Transaction{Payer: k.owner, Blockhash: k.blockhash, Instructions: instructions, Config: config}
}

// ordinary is a scene whose intent spends a little of everything.
func (k *cast) ordinary(instructions ...ins) *scene {
	return &scene{
		txs: []transaction{{Transaction: k.build(instructions...)}},
		intent: walletfi.Intent{
			Service: "swap", Owner: text(k.owner),
			Spend: []walletfi.Asset{
				some(txbuild.NativeMint, k.spend), some(k.usdc, k.spendUSDC), some(k.pump, k.spendPump),
			},
			Burn:        []walletfi.Asset{some(k.bonk, k.burnBonk)},
			TipLamports: walletfi.Amount(k.tip),
			ServiceFee:  []walletfi.Asset{some(txbuild.NativeMint, k.fee), some(k.usdc, k.takeUSDC)},
			OutputTo:    []string{text(k.friend)}, Delegates: []string{text(k.named)}, CoSigners: []string{text(k.fresh)},
			MaxForeignRentLamports: 30_000_000,
		},
		policy: k.policy(),
	}
}

func (k *cast) policy() Policy {
	return Policy{
		Pins:     map[string][]Key{"swap": {k.exchange, txbuild.Stake, txbuild.System}},
		Accounts: []OwnAccount{{k.listed, k.usdc}}, Keys: []Key{k.multisig}, Protected: []Key{k.guarded},
		AllowBlind: []string{"swap"},
	}
}

// loot takes all that the intent allows, to a destination that only this
// intent names. It rides along if the technique itself takes nothing.
func (k *cast) loot() ins { return txbuild.Transfer(k.owner, k.friend, k.spend) }

// trade is a call of the pinned exchange.
func (k *cast) trade(accounts ...txbuild.Account) ins {
	return txbuild.Call(k.exchange, []byte{9, 1, 2, 3}, accounts...)
}
