package transport

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clocked is an Authoriser that keeps the dates that it is told.
type clocked struct {
	Authoriser
	told []time.Time
}

func (*clocked) Authorise(context.Context, http.Header) error { return nil }
func (c *clocked) Dated(date, _ time.Time)                    { c.told = append(c.told, date) }

// TestDated: the service's time is that of each success, be it out of a cache.
func TestDated(t *testing.T) {
	sent := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	date := sent.Format(http.TimeFormat)
	auth := &clocked{}
	x := &exchange{client: &Client{auth: auth}}
	for _, row := range []struct {
		status int
		age    []string
		want   []time.Time
	}{
		{200, nil, []time.Time{sent}}, {200, []string{"0"}, []time.Time{sent}}, {200, []string{"60"}, []time.Time{sent.Add(time.Minute)}},
		{200, []string{"old"}, nil}, {401, nil, nil}, {502, []string{"0"}, nil},
	} {
		auth.told = nil
		x.dated(&answer{status: row.status, came: http.Header{"Date": {date}, "Age": row.age}})
		require.Equal(t, row.want, auth.told, row)
	}
}
