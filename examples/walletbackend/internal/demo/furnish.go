package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"golang.org/x/crypto/bcrypt"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/services"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// Names are the users that AddUsers adds.
var Names = []string{"alice", "bob"}

// AddUsers adds the demo's users, each with a key that the signer makes under a template, if they
// are not there yet. It returns those that it added. A signer that does not know those who are there
// makes the same keys for them again.
func AddUsers(
	ctx context.Context, db *store.DB, signer *client.Client, template string, password walletfi.Secret,
) (added []store.User, err error) {
	for _, name := range Names {
		u, err := db.UserByName(ctx, name)
		known := err == nil
		if errors.Is(err, store.ErrNotFound) {
			u, err = store.User{ID: rand.Text(), Name: name}, nil
		}
		if err != nil {
			return added, err
		}
		key, err := signer.MakeOwner(ctx, template, u.ID)
		if err != nil {
			return added, err
		}
		if known {
			if key.PublicKey().String() != u.Address {
				return added, fmt.Errorf("the signer's key of %s is not %s", name, u.Address)
			}
			continue
		}
		u.Address = key.PublicKey().String()
		hash, err := bcrypt.GenerateFromPassword([]byte(password.Reveal()), bcrypt.DefaultCost)
		if err != nil {
			return added, err
		}
		u.Password = string(hash)
		if err := db.AddUser(ctx, u); err != nil {
			return added, err
		}
		added = append(added, u)
	}
	return added, nil
}

// What the sandbox gives a user: 10 SOL, 1,000 USDC, a little DUST.
const (
	lamports = 10_000_000_000
	usdc     = 1_000_000_000
	dust     = 12_345
	empties  = 3 // token accounts to close
)

// Furnish gives a user on the sandbox what the page can show: money, token
// accounts to close, and a smart account.
func Furnish(
	ctx context.Context, control *Control, clients *services.Clients, accounts *services.SmartAccounts, user store.User,
) error {
	problems := []error{control.Fund(ctx, user.Address, lamports), control.OpenEmptyAccounts(ctx, user.Address, empties)}
	for symbol, amount := range map[string]uint64{"USDC": usdc, "DUST": dust} {
		for _, token := range clients.Tokens.List() {
			if token.Symbol == symbol {
				problems = append(problems, control.FundToken(ctx, user.Address, token.Mint, amount))
			}
		}
	}
	return errors.Join(append(problems, openSmartAccount(ctx, control, accounts, user))...)
}

// openSmartAccount signs a user in to the smart account service and creates an
// account with a policy. In production the user types the code of the email.
func openSmartAccount(ctx context.Context, control *Control, accounts *services.SmartAccounts, user store.User) error {
	c, err := accounts.Client(user.ID)
	if err != nil {
		return err
	}
	email := user.Name + "@example.com"
	if _, err := c.SendEmailCode(ctx, email); err != nil {
		return err
	}
	code, err := control.OneTimeCode(ctx, email)
	if err != nil {
		return err
	}
	if _, err := c.VerifyEmailCode(ctx,
		smartaccount.VerifyEmailCodeRequest{Email: email, Code: walletfi.NewSecret(code)}); err != nil {
		return err
	}
	account, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{
		Name: "household",
		Type: smartaccount.AccountPersonal,
	})
	if err != nil {
		return err
	}
	if err := control.Fund(ctx, account.Address, lamports); err != nil {
		return err
	}
	_, err = c.CreatePolicy(ctx, account.ID, smartaccount.CreatePolicyRequest{
		Type: smartaccount.PolicySpendingLimit, Name: "pocket money",
		Params: smartaccount.SpendingLimit{Mint: walletfi.NativeMint, Amount: 5_000_000, Period: smartaccount.PeriodDaily},
	})
	return err
}
