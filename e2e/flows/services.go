package flows

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// PredictMeta is a client of the service on s.
func PredictMeta(t *testing.T, s *sandbox.Sandbox) *predictmeta.Client {
	t.Helper()
	c, err := predictmeta.New(predictmeta.Config{
		BaseURL: s.URL(sandbox.PredictMeta), WebSocketURL: s.PredictMeta().WSURL(), APIKey: key(s, sandbox.PredictMeta),
		Options: Options(s),
	})
	require.NoError(t, err)
	return c
}

// BurnClose is a client of the service on s that sends its key in header.
func BurnClose(t *testing.T, s *sandbox.Sandbox, header burnclose.AuthHeader) *burnclose.Client {
	t.Helper()
	c, err := burnclose.New(burnclose.Config{
		BaseURL: s.URL(sandbox.BurnClose), APIKey: key(s, sandbox.BurnClose), AuthHeader: header, Options: Options(s),
	})
	require.NoError(t, err)
	return c
}

// Webhooks is a client of the service on s.
func Webhooks(t *testing.T, s *sandbox.Sandbox) *webhooks.Client {
	t.Helper()
	c, err := webhooks.New(webhooks.Config{
		BaseURL: s.URL(sandbox.Webhooks), APIKey: key(s, sandbox.Webhooks), Options: Options(s),
	})
	require.NoError(t, err)
	return c
}

func key(s *sandbox.Sandbox, service sandbox.Service) walletfi.Secret {
	return walletfi.NewSecret(s.APIKey(service))
}

// client makes a client of a service on s, whose calls go at once.
func client[Client any](s *sandbox.Sandbox, of sandbox.Service) Client {
	return Must(Makers(HostsOf(s))[of](AtOnce())).(Client)
}

// quoted is a quote of the swap service with a partner's fee, 0 for none.
func quoted(t *testing.T, c *swap.Client, in, out string, feeBps int) *swap.Quote {
	t.Helper()
	request := swap.QuoteRequest{InputMint: in, OutputMint: out, Amount: 1_000_000, Slippage: walletfi.SlippageBps(300)}
	if feeBps > 0 {
		request.PlatformFeeBps = &feeBps
	}
	quote, err := c.GetQuote(t.Context(), request)
	require.NoError(t, err)
	return quote
}

// ammRequest is a request for a quote of the AMM.
func ammRequest(in, out string, amount walletfi.Amount, version amm.TxVersion) amm.QuoteRequest {
	return amm.QuoteRequest{
		InputMint: in, OutputMint: out, Amount: amount, Slippage: walletfi.SlippageBps(300), TxVersion: version,
	}
}
