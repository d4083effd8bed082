package dialect_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"go.uber.org/goleak"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/sandbox/internal/world"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// words are maps of words, as the file has them.
type words = map[string]string

// under opens a sandbox whose service speaks a deployment.
func under(t *testing.T, service play.Service, file deployment.Service, more ...func(*play.Config)) *worldtest.World {
	t.Helper()
	c := play.Config{ManualClock: true, NoLimits: true, StrictEcho: true, Shape: 1}
	c.Deployment = &deployment.Deployment{Name: "acme", Services: map[string]deployment.Service{string(service): file}}
	for _, change := range more {
		change(&c)
	}
	return worldtest.Start(t, c)
}

// tried is a request and what comes of it.
type tried struct {
	name    string
	path    string
	body    any
	headers []string
	status  int
	problem string // of the violation; empty if there is none
}

// try sends the requests of a table with a method, and returns the answers.
func try(t *testing.T, s *worldtest.World, service play.Service, method string, rows []tried) map[string]worldtest.Answer {
	t.Helper()
	answers := map[string]worldtest.Answer{}
	for _, row := range rows {
		a := s.Do(t, service, method, row.path, row.body, row.headers...)
		assert.Equal(t, row.status, a.Status, "%s: %s", row.name, a.Raw)
		problems := s.TakeProblems()
		if row.problem == "" {
			assert.Empty(t, problems, row.name)
		} else {
			assert.Contains(t, problems, row.problem, row.name)
		}
		answers[row.name] = a
	}
	return answers
}

// refused reports how a sandbox with a deployment does not start.
func refused(service play.Service, file deployment.Service) error {
	s, err := world.Open(play.Config{Deployment: &deployment.Deployment{Services: map[string]deployment.Service{string(service): file}}})
	if err == nil {
		s.Close()
	}
	return err
}
