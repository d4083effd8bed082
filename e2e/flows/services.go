package flows

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/webhooks"
)

// PredictMeta is a client of the service on s.
func PredictMeta(t *testing.T, s *sandbox.Sandbox) *predictmeta.Client {
	t.Helper()
	c, err := predictmeta.New(predictmeta.Config{
		BaseURL: s.URL(sandbox.PredictMeta), WebSocketURL: s.PredictMeta().WSURL(),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.PredictMeta)),
		Options: Options(s),
	})
	require.NoError(t, err)
	return c
}

// BurnClose is a client of the service on s that sends its key in header.
func BurnClose(t *testing.T, s *sandbox.Sandbox, header burnclose.AuthHeader) *burnclose.Client {
	t.Helper()
	c, err := burnclose.New(burnclose.Config{
		BaseURL: s.URL(sandbox.BurnClose), APIKey: walletfi.NewSecret(s.APIKey(sandbox.BurnClose)),
		AuthHeader: header, Options: Options(s),
	})
	require.NoError(t, err)
	return c
}

// Webhooks is a client of the service on s.
func Webhooks(t *testing.T, s *sandbox.Sandbox) *webhooks.Client {
	t.Helper()
	c, err := webhooks.New(webhooks.Config{
		BaseURL: s.URL(sandbox.Webhooks),
		APIKey:  walletfi.NewSecret(s.APIKey(sandbox.Webhooks)),
		Options: Options(s),
	})
	require.NoError(t, err)
	return c
}
