package smartaccount_test

import (
	"context"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// onSandbox is a client that has signed in to the sandbox, and its account.
func onSandbox() (*smartaccount.Client, *smartaccount.Account, *sandbox.Sandbox) {
	s, err := sandbox.Start(sandbox.Config{})
	if err != nil {
		panic(err)
	}
	client, account, err := enrolled(context.Background(), s)
	if err != nil {
		panic(err)
	}
	return client, account, s
}

// A merchant may take so much each month, until the owner pauses it.
func ExampleClient_CreateSubscription() {
	client, account, s := onSandbox()
	defer s.Close()
	ctx := context.Background()
	subscription, err := client.CreateSubscription(ctx, account.ID, smartaccount.CreateSubscriptionRequest{
		Merchant: s.WalletAddress(), MerchantName: "Shop",
		Mint: s.Mint("USDC"), Amount: 9_990_000, Frequency: smartaccount.FrequencyMonthly,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	paused, err := client.PauseSubscription(ctx, account.ID, subscription.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(subscription.Status, subscription.Amount.UI(6), paused.Status)
	// Output: active 9.99 paused
}

// A policy limits what any session key of the account may spend.
func ExampleClient_CreatePolicy() {
	client, account, s := onSandbox()
	defer s.Close()
	ctx := context.Background()
	policy, err := client.CreatePolicy(ctx, account.ID, smartaccount.CreatePolicyRequest{
		Type: smartaccount.PolicySpendingLimit, Name: "daily",
		Params: smartaccount.SpendingLimit{Mint: s.Mint("USDC"), Amount: 50_000_000, Period: "daily"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	policies, err := client.ListPolicies(ctx, account.ID)
	fmt.Println(policy.Status, len(policies.Items), err)
	// Output: active 1 <nil>
}

func ExampleClient_FindAccounts() {
	client, _, s := onSandbox()
	defer s.Close()
	accounts, err := client.FindAccounts(context.Background(), "bot")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, account := range accounts {
		fmt.Println(account.Name, "is", account.Status)
	}
	// Output: bot is active
}

func ExampleClient_ListSessions() {
	client, account, s := onSandbox()
	defer s.Close()
	ctx := context.Background()
	_, err := client.CreateSession(ctx, account.ID, smartaccount.CreateSessionRequest{
		PublicKey: s.WalletAddress(), Name: "phone", ExpiresAt: s.Now().Add(time.Hour),
		Permissions: []smartaccount.Permission{smartaccount.PermissionTransfer},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sessions, err := client.ListSessions(ctx, account.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, session := range sessions.Items {
		fmt.Println(session.Name, "may:", session.Permissions)
	}
	// Output: phone may: [transfer]
}
