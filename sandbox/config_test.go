package sandbox

import (
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// TestConfigReachesTheRooms sets every field, so that the conversion forgets
// none.
func TestConfigReachesTheRooms(t *testing.T) {
	c := Config{
		Seed: 1, ManualClock: true, Start: time.Unix(1, 0), SlotTime: 1, FeedStep: 1, InstantConfirmation: true,
		Tiers: map[Service]Tier{Lending: TierPro}, NoLimits: true, Shape: 1, Drift: true, StrictEcho: true, CompiledInner: true,
		PredictMetaLimit: 1, Network: &Network{Reach: 1}, LendingWebhook: "x", WebhookTimeout: 1, WebhookClient: &http.Client{}, BasePort: 1,
		Deployment: &deployment.Deployment{}, DeploymentSecrets: map[string]string{"app": "x"}, Control: &ControlPort{},
	}
	v, inside := reflect.ValueOf(c), reflect.ValueOf(c.internal())
	require.Equal(t, reflect.TypeFor[kit.Config]().NumField(), v.NumField())
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		require.False(t, v.Field(i).IsZero(), name)
		require.Equal(t, name, inside.Type().Field(i).Name)
		require.False(t, inside.Field(i).IsZero(), name)
	}
	require.Equal(t, map[kit.Service]kit.Tier{kit.Lending: kit.TierPro}, c.internal().Tiers)
}

// TestNamesAgree compares the services and tiers of sandbox and kit.
func TestNamesAgree(t *testing.T) {
	var inside []kit.Service
	for _, name := range Services() {
		inside = append(inside, name.internal())
	}
	require.Equal(t, kit.Services(), inside)
	require.Equal(t, kit.RPC, RPC.internal())
	require.Equal(t, []kit.Tier{kit.TierFree, kit.TierPro, kit.TierEnterprise}, []kit.Tier{kit.Tier(TierFree), kit.Tier(TierPro), kit.Tier(TierEnterprise)})
}
