package node

import (
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// most is how many lamports the faucet gives at once. It has no other limit.
const most = 500_000_000 * build.LamportsPerSOL

// requestAirdrop has the faucet pay somebody. Its transaction may be dropped like any
// other, and the same payment on the same blockhash is the same transaction.
func (c *call) requestAirdrop() any {
	var lamports uint64
	to := c.address(0)
	c.param(1, true, &lamports)
	var config struct {
		Commitment string `json:"commitment"`
		Blockhash  string `json:"recentBlockhash"`
	}
	c.param(2, false, &config)
	hash := c.BlockhashOf(c.slotAt(config.Commitment))
	if config.Blockhash != "" {
		given, err := solana.HashFromBase58(config.Blockhash)
		failIf(err != nil, params, "Invalid param: Invalid")
		hash = given
	}
	failIf(lamports > most, internal, "Internal error")
	raw := c.fromFaucet(to, lamports, hash)
	tx, err := ledger.Parse(raw)
	if err != nil {
		panic(err) // it is made here
	}
	return c.forward(raw, tx)
}

// fromFaucet is a signed payment of the faucet, which never has too little for it.
func (c *call) fromFaucet(to solana.PublicKey, lamports uint64, hash solana.Hash) []byte {
	key := solana.PrivateKey(c.Keypair("faucet"))
	from := key.PublicKey()
	if c.Balance(from) < 2*most {
		c.Airdrop(from, 2*most)
	}
	pay := system.NewTransferInstruction(lamports, from, to).Build()
	tx, err := solana.NewTransaction([]solana.Instruction{pay}, hash, solana.TransactionPayer(from))
	if err == nil {
		_, err = tx.Sign(func(solana.PublicKey) *solana.PrivateKey { return &key })
	}
	var raw []byte
	if err == nil {
		raw, err = tx.MarshalBinary()
	}
	if err != nil {
		panic(err) // it is made here
	}
	return raw
}
