package predictmeta_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestMilestonesThatAreOdd: what is wrong with a member of a milestone, on which nothing hangs, costs
// no batch, whatever its shape. The observer is told.
func TestMilestonesThatAreOdd(t *testing.T) {
	const event = `{"ticker":"EV-1","milestones":[{"name":"Vote","volume_spike":"soon"}]}`
	for _, body := range []string{`[` + event + `]`, `{"milestones":[` + event + `]}`, `{"EV-1":` + event + `}`} {
		told := recorded.New(t)
		server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
		c := wiretest.Client(t, predictmeta.New, predictmeta.Config{
			BaseURL: server.URL, APIKey: wiretest.Key(), Options: walletfi.Options{Observer: told},
		})
		batch, err := c.BatchMilestones(t.Context(), []string{"EV-1"})
		require.NoError(t, err, body)
		require.Equal(t, "Vote", batch.Events[0].Milestones[0].Name)
		require.Nil(t, batch.Events[0].Milestones[0].VolumeSpike)
		events := recorded.Events[observe.Drift](told)
		require.Len(t, events, 1, body)
		require.Equal(t, "Milestone.volume_spike of another kind", events[0].Member+" "+events[0].Fault)
	}
}
