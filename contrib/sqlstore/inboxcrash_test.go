package sqlstore_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/contrib/sqlstore"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/webhooks"
)

var inboxCrashes = flag.Int("inboxcrash", 20, "kills of TestInboxCrash on each database")

// TestInboxCrash has two processes share an inbox, and kills one of them with
// SIGKILL at each step from the delivery's arrival to the end of its job. The
// service repeats what was not answered. Each delivery must have its effect, a row
// in the same database, exactly once.
func TestInboxCrash(t *testing.T) {
	onEach(t, func(t *testing.T, e engine) {
		fresh := newEngine(e.dialect)
		var mu sync.Mutex
		kills, effects := 0, 0
		rounds := make(chan struct{}, 4)
		t.Run("rounds", func(t *testing.T) {
			for round := range *inboxCrashes {
				t.Run(fmt.Sprint(round), func(t *testing.T) {
					t.Parallel()
					rounds <- struct{}{}
					defer func() { <-rounds }()
					n := crashRound(t, fresh(t), deadlySteps[round%len(deadlySteps)], round)
					mu.Lock()
					defer mu.Unlock()
					kills, effects = kills+1, effects+n
				})
			}
		})
		fmt.Printf("%s: kills=%d deliveries=%d effects=%d\n", e.dialect, kills, 3**inboxCrashes, effects)
		require.Equal(t, *inboxCrashes, kills)
		require.Equal(t, 3**inboxCrashes, effects)
	})
}

// crashRound returns how many deliveries had their effect, each once.
func crashRound(t *testing.T, e engine, step string, round int) int {
	store := e.open(t)
	_, err := store.DB().ExecContext(t.Context(), "CREATE TABLE effects (delivery text NOT NULL)")
	require.NoError(t, err)
	task := receiverTask{Path: e.config.Path, URL: e.config.URL.Reveal(), Inbox: e.inboxConfig(t)}
	victimTask := task
	victimTask.Die = step
	victim := receiverProcess(t, victimTask)
	var heir *receiving
	if round%2 == 0 { // it shares the inbox from the beginning
		heir = receiverProcess(t, task)
	}
	keys := []string{}
	answered := map[int]bool{}
	for n := range 3 {
		keys = append(keys, webhooks.ParseDelivery(eventBody(n)).Key())
		answered[n] = victim.deliver(t, eventBody(n)) == http.StatusOK
	}
	if heir == nil || strings.HasPrefix(step, "before it was") || strings.HasPrefix(step, "before the answer") {
		// With an heir that handles all, the victim may not come to its step.
		victim.awaitEnd(t, heir != nil)
	}
	victim.kill()
	require.NoError(t, pause.For(t.Context(), 200*time.Millisecond)) // the server may still do what it was asked
	timePasses(t, store, task.Inbox)
	if heir == nil {
		heir = receiverProcess(t, task)
	}
	for n, ok := range answered {
		if !ok || n == 0 { // an answer may be lost, too
			require.Equal(t, http.StatusOK, heir.deliver(t, eventBody(n)))
		}
	}
	count := 0
	for begun := time.Now(); time.Since(begun) < time.Minute; {
		if count = effectsOf(t, store, keys); count == len(keys) {
			break
		}
		require.NoError(t, pause.For(t.Context(), 20*time.Millisecond))
	}
	require.NoError(t, pause.For(t.Context(), 500*time.Millisecond)) // for what must not happen
	require.Equal(t, len(keys), effectsOf(t, store, keys), "%s: %s", step, heir.out.String())
	return len(keys)
}

func eventBody(n int) []byte { return fmt.Appendf(nil, `{"webhookId":"wh_1","n":%d}`, n) }

// effectsOf counts the effects, which must not be of one delivery twice.
func effectsOf(t *testing.T, store *sqlstore.Store, keys []string) int {
	t.Helper()
	rows, err := store.DB().QueryContext(t.Context(), "SELECT delivery, count(*) FROM effects GROUP BY delivery")
	require.NoError(t, err)
	defer rows.Close()
	count := 0
	for rows.Next() {
		var key string
		var n int
		require.NoError(t, rows.Scan(&key, &n))
		require.Contains(t, keys, key)
		require.Equal(t, 1, n, "handled twice: %s", key)
		count++
	}
	require.NoError(t, rows.Err())
	return count
}

func addEffect(ctx context.Context, store *sqlstore.Store, tx *sql.Tx, key string) error {
	insert := "INSERT INTO effects (delivery) VALUES (?)"
	if store.Dialect() == sqlstore.PostgreSQL {
		insert = "INSERT INTO effects (delivery) VALUES ($1)"
	}
	_, err := tx.ExecContext(ctx, insert, key)
	return err
}

// timePasses makes what the dead process held look as if it died an hour ago, so
// that the test need not wait for river's leases.
func timePasses(t *testing.T, store *sqlstore.Store, cfg sqlstore.InboxConfig) {
	t.Helper()
	statements := []string{
		"DELETE FROM river_leader",
		"UPDATE river_job SET attempted_at = strftime('%Y-%m-%d %H:%M:%f', attempted_at, '-1 hour') WHERE state = 'running'",
	}
	if store.Dialect() == sqlstore.PostgreSQL {
		statements = []string{
			"DELETE FROM " + cfg.Schema + ".river_leader",
			"UPDATE " + cfg.Schema + ".river_job SET attempted_at = attempted_at - interval '1 hour' WHERE state = 'running'",
		}
	}
	for _, s := range statements {
		_, err := store.DB().ExecContext(t.Context(), s)
		require.NoError(t, err)
	}
}

// receiving is a process of TestReceivingProcess.
type receiving struct {
	child   *exec.Cmd
	address string
	ended   chan struct{}
	out     *bytes.Buffer // of its errors; to be read when it has ended
}

func receiverProcess(t *testing.T, task receiverTask) *receiving {
	t.Helper()
	text, err := json.Marshal(task)
	require.NoError(t, err)
	r := &receiving{child: exec.Command(os.Args[0], "-test.run=^TestReceivingProcess$"), ended: make(chan struct{}), out: &bytes.Buffer{}}
	r.child.Env = append(os.Environ(), receiverVariable+"="+string(text))
	pipe, err := r.child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, r.child.Start())
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			r.address = address
			break
		}
		r.out.WriteString(lines.Text() + "\n")
	}
	go func() {
		defer close(r.ended)
		for lines.Scan() {
			r.out.WriteString(lines.Text() + "\n")
		}
		_ = r.child.Wait()
	}()
	t.Cleanup(r.kill)
	require.NotEmpty(t, r.address, "the receiver does not listen: %s", r.out)
	return r
}

// deliver returns the status of the answer, 0 if there is none.
func (r *receiving) deliver(t *testing.T, body []byte) int {
	t.Helper()
	req := webhooks.DeliverySigner{Secret: hookSecret}.Request("http://"+r.address+"/hook", body)
	req.RequestURI = ""
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return 0
	}
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

// awaitEnd waits until the process has died by itself.
func (r *receiving) awaitEnd(t *testing.T, mayLive bool) {
	t.Helper()
	patience := 30 * time.Second
	if mayLive {
		patience = time.Second
	}
	select {
	case <-r.ended:
	case <-time.After(patience):
		require.True(t, mayLive, "the receiver does not come to the step: %s", r.address)
	}
}

// kill ends the process as a crash would, if it lives.
func (r *receiving) kill() {
	_ = r.child.Process.Kill()
	<-r.ended
}
