package node

import (
	"cmp"
	"slices"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// maxLargest is how many accounts are listed as the largest.
const maxLargest = 20

func tokenProgram(key solana.PublicKey) bool {
	return key == solana.TokenProgramID || key == solana.Token2022ProgramID
}

func (c *call) getTokenAccountBalance() any {
	key, config := c.addressAndConfig()
	a := config.look(key)
	failIf(a == nil, params, "Invalid param: could not find account")
	account, ok := ledger.AsToken(a)
	failIf(!ok, params, "Invalid param: not a Token account")
	_, mint := mintOf(account.Mint(), config)
	return c.inContext(config.Commitment, mintAmount(account.Amount(), mint, config.look))
}

func (c *call) getTokenSupply() any {
	key, config := c.addressAndConfig()
	a := config.look(key)
	failIf(a == nil, params, "Invalid param: could not find account")
	failIf(!tokenProgram(a.Owner), params, "Invalid param: not a Token mint")
	mint, ok := ledger.AsMint(a)
	failIf(!ok, params, "Invalid param: mint could not be unpacked")
	return c.inContext(config.Commitment, mintAmount(mint.Supply(), mint, config.look))
}

// mintOf returns a mint and the program that it is of.
func mintOf(key solana.PublicKey, config config) (program solana.PublicKey, mint ledger.Mint) {
	a := config.look(key)
	failIf(a == nil, params, "Invalid param: could not find mint")
	mint, ok := ledger.AsMint(a)
	failIf(!ok && !tokenProgram(a.Owner), params, "Invalid param: not a Token mint")
	failIf(!ok, params, "Invalid param: Token mint could not be unpacked")
	return a.Owner, mint
}

func (c *call) getTokenLargestAccounts() any {
	key, config := c.addressAndConfig()
	program, mint := mintOf(key, config)
	amount := func(a *ledger.Account) uint64 { return ledger.Token(a.Data).Amount() }
	accounts := largest(amount, c.accounts(config, program, func(a *ledger.Account) bool {
		t, ok := ledger.AsToken(a)
		return ok && t.Mint() == key
	}))
	return c.inContext(config.Commitment, kit.List(accounts, func(k keyed) any {
		told := mintAmount(amount(k.account), mint, config.look)
		told["address"] = k.key
		return told
	}))
}

// largest returns the accounts that hold most, of equal ones the greatest address first.
func largest(amount func(a *ledger.Account) uint64, accounts []keyed) []keyed {
	slices.SortFunc(accounts, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(amount(b.account), amount(a.account)), slices.Compare(b.key[:], a.key[:]))
	})
	return accounts[:min(len(accounts), maxLargest)]
}

func (c *call) getTokenAccountsByOwner() any {
	return c.tokenAccounts(func(t ledger.Token, key solana.PublicKey) bool { return t.Owner() == key })
}

func (c *call) getTokenAccountsByDelegate() any {
	return c.tokenAccounts(func(t ledger.Token, key solana.PublicKey) bool {
		delegate, ok := t.Delegate()
		return ok && delegate == key
	})
}

// tokenAccounts lists the token accounts that belong to the address of the first parameter,
// of a mint or of a token program.
func (c *call) tokenAccounts(belongs func(t ledger.Token, key solana.PublicKey) bool) any {
	key := c.address(0)
	var filter map[string]string
	c.param(1, true, &filter)
	config := c.configAt(2)
	var program, mint solana.PublicKey
	for kind, text := range filter {
		switch kind {
		case "mint":
			mint = addressOf(text)
			program, _ = mintOf(mint, config)
		case "programId":
			program = addressOf(text)
			failIf(!tokenProgram(program), params, "Invalid param: unrecognized Token program id")
		}
	}
	accounts := c.accounts(config, program, func(a *ledger.Account) bool {
		t, ok := ledger.AsToken(a)
		return ok && belongs(t, key) && (mint.IsZero() || t.Mint() == mint)
	})
	return c.inContext(config.Commitment, list(accounts, config))
}
