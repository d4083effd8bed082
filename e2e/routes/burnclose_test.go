package routes

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.BurnClose], documented[sandbox.BurnClose] = reachBurnClose, 21 }

func reachBurnClose(t *testing.T, s *sandbox.Sandbox) {
	c := flows.BurnClose(t, s, burnclose.AuthAPIKey)
	me, dust := s.WalletAddress(), s.Mint("DUST")
	burnDocuments(t, c)
	burnAnAsset(t, s, c, burnclose.BurnRequest{Owner: me, AssetID: dust, BurnAmount: new(walletfi.Amount(37))})
	closeEmptyAccounts(t, s, flows.BurnClose(t, s, burnclose.AuthBearer), me)
}

func burnDocuments(t *testing.T, c *burnclose.Client) {
	ctx := t.Context()
	for name, get := range map[string]func(context.Context, ...walletfi.CallOption) ([]byte, error){
		"health": c.GetHealth, "openapi": c.GetOpenAPI, "catalog": c.GetAPICatalog, "llms.txt": c.GetLLMsText,
		"llms.md": c.GetLLMsMarkdown, "llms-full.txt": c.GetLLMsFull, "DOCS.md": c.GetDocs,
	} {
		text, err := get(ctx)
		require.NoError(t, err, name)
		require.NotEmpty(t, text, name)
	}
	key, err := c.GenerateAPIKey(ctx, nil)
	require.NoError(t, err)
	require.False(t, key.APIKey.IsZero())
}

func burnAnAsset(t *testing.T, s *sandbox.Sandbox, c *burnclose.Client, req burnclose.BurnRequest) {
	ctx, ledger := t.Context(), s.Ledger()
	_, err := c.PreviewBurn(ctx, req)
	require.NoError(t, err)
	instructions, err := c.BuildBurnInstructions(ctx, req)
	require.NoError(t, err)
	require.NotEmpty(t, instructions.Instructions)

	before := ledger.TokenBalance(req.Owner, req.AssetID)
	built, err := c.BuildBurn(ctx, req)
	require.NoError(t, err)
	signed := flows.Sign(t, s, built.Unsigned())[0]
	sent, err := c.SendTransaction(ctx, burnclose.SendRequest{Transaction: signed.Transaction, RelayOptions: burnclose.RelayOptions{
		WaitForConfirmation: new(true), ConfirmationCommitment: walletfi.CommitmentConfirmed, ConfirmationTimeout: 10 * time.Second,
	}})
	require.NoError(t, err)
	require.True(t, sent.Sent)
	require.Equal(t, signed.Signature, sent.Signature)
	status, err := c.WaitConfirmed(ctx, burnclose.WaitRequest{Signature: sent.Signature})
	require.NoError(t, err)
	require.Empty(t, status.Err)
	require.Equal(t, before-37, ledger.TokenBalance(req.Owner, req.AssetID))

	all := req
	all.BurnAmount, all.AutoCloseTokenAccounts = nil, new(true)
	built, err = c.BuildBurn(ctx, all)
	require.NoError(t, err)
	account := ledger.AssociatedAccount(req.Owner, req.AssetID)
	signed = flows.Sign(t, s, built.Unsigned())[0]
	signature, err := c.Submit(ctx, signed)
	require.NoError(t, err)
	require.Equal(t, signed.Signature, signature)
	settled, err := c.SignatureStatus(ctx, signature)
	require.NoError(t, err)
	require.True(t, settled.Found)
	require.Empty(t, settled.Err)
	_, exists := ledger.TokenAccount(account)
	require.False(t, exists, "what the burn left empty is closed")
}

func closeEmptyAccounts(t *testing.T, s *sandbox.Sandbox, c *burnclose.Client, me string) {
	ctx := t.Context()
	empty, err := s.BurnClose().OpenEmptyAccounts(me, 30)
	require.NoError(t, err)
	one := burnclose.CloseRequest{Owner: me, AssetID: empty[0]}
	_, err = c.PreviewClose(ctx, one)
	require.NoError(t, err)
	_, err = c.BuildCloseInstructions(ctx, one)
	require.NoError(t, err)
	built, err := c.BuildClose(ctx, one)
	require.NoError(t, err)
	flows.Land(t, s, built.Unsigned())

	all := burnclose.CloseAllRequest{Owner: me, Limit: new(12)}
	_, err = c.PreviewCloseAll(ctx, all)
	require.NoError(t, err)
	_, err = c.SummarizeCloseAll(ctx, burnclose.CloseAllRequest{Owner: me})
	require.NoError(t, err)
	_, err = c.BuildCloseAllInstructions(ctx, all)
	require.NoError(t, err)
	rounds := 0
	for round, err := range c.CloseAll(ctx, all, func(ctx context.Context, built *burnclose.CloseAllTransactions) (int, error) {
		var batch []walletfi.EncodedTransaction
		for _, tx := range flows.Sign(t, s, built.Unsigned()) {
			batch = append(batch, tx.Transaction)
		}
		sent, err := c.SendBatch(ctx, burnclose.SendBatchRequest{Transactions: batch})
		require.NoError(t, err)
		for _, item := range sent.Items {
			require.True(t, item.Sent, item.Error)
		}
		return len(sent.Items), nil
	}) {
		require.NoError(t, err)
		require.Zero(t, round.Offset, "what is closed leaves the list")
		rounds++
	}
	require.GreaterOrEqual(t, rounds, 3)
	for _, address := range empty {
		_, exists := s.Ledger().TokenAccount(address)
		require.False(t, exists)
	}
}
