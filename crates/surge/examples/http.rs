//! A service whose cost depends on what it is sent, behind the `tower` layer, and an attacker: `cargo
//! run --release -p forebay-surge --features tower --example http`.
//!
//! The handler looks for `a*b` at every place of a body, as a simple matcher does: long rows of `a`
//! take time that grows with the square of their length. Requests of `http` go through the stack in one
//! process, one at a time. Arrivals follow what the handler has burnt, not the clock on the wall.
#![expect(clippy::print_stdout, reason = "it is there to print")]

use forebay_clock::thread_cpu;
use forebay_core::{Rng, Seed};
use forebay_surge::tower::{Profile, SurgeError, SurgeLayer, Waiter};
use forebay_surge::{Policy, Surge, WorstPerByte};
use http::{Request, Response, StatusCode};
use rand::RngExt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tower::util::BoxCloneService;
use tower::{BoxError, Layer as _, ServiceExt as _, service_fn};

type Layer = SurgeLayer<Request<Vec<u8>>, Response<String>>;

const MOST_WAITING: usize = 100;
const INNOCENT_BYTES: usize = 16_000;
const ATTACK_BYTES: usize = 4_000;
const LOAD: f64 = 0.8;
/// Bytes of the attack for each innocent byte.
const ATTACK: f64 = 0.01;
const TIME: Duration = Duration::from_millis(400);

/// Where a row of `a` is followed by `b`, looked for in the simplest way.
fn find(body: &[u8]) -> Option<usize> {
    (0..body.len()).find(|&start| {
        let row = body[start..].iter().take_while(|&&byte| byte == b'a').count();
        row > 3 && body.get(start + row) == Some(&b'b')
    })
}

/// What the scheduler is to know. The feature is what a quick look tells about the body: the
/// logarithm of its longest row of `a`.
fn describe(request: &Request<Vec<u8>>) -> Profile {
    let body = request.body();
    let longest = body.split(|&byte| byte != b'a').map(<[u8]>::len).max().unwrap_or(0);
    Profile {
        size_bytes: body.len() as u64,
        estimate: Duration::from_nanos(4 * body.len() as u64),
        features: [longest.max(1).ilog2()].into(),
        ..Profile::default()
    }
}

fn innocent(rng: &mut Rng) -> Vec<u8> {
    // Four letters, so that `b` follows a long row of `a` only at the end.
    let mut body: Vec<u8> = (1..INNOCENT_BYTES).map(|_| b"acde"[rng.random_range(0..4)]).collect();
    body.push(b'b');
    body
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    innocent_served: u64,
    innocent_rejected: u64,
    attack_served: u64,
    attack_rejected: u64,
}

/// The cost of the handler, as an extension of the response.
#[derive(Clone, Copy)]
struct Cost(Duration);

/// Future requests, and the outcomes of those that were sent.
struct Course {
    now: Duration,
    gap: Duration,
    attack_gap: Duration,
    innocent_at: Duration,
    attack_at: Duration,
    bodies: Vec<Vec<u8>>,
    outstanding: u64,
    counts: Counts,
}

struct World {
    layer: Layer,
    course: Mutex<Course>,
    idle: Notify,
}

impl World {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The stack: a rejected request gets status 503, the others the handler's status.
    fn service(self: &Arc<Self>) -> BoxCloneService<Request<Vec<u8>>, Response<String>, SurgeError<BoxError>> {
        let world = Arc::clone(self);
        let handler = service_fn(move |request| handle(Arc::clone(&world), request));
        BoxCloneService::new(self.layer.layer(handler).map_result(respond))
    }

    /// Sends the requests that are due, and lets them reach the scheduler.
    async fn send_due(self: &Arc<Self>) {
        while let Some((is_innocent, body)) = self.course().due() {
            let (world, call) = (Arc::clone(self), self.service().oneshot(Request::new(body)));
            tokio::spawn(async move {
                let served = call.await.is_ok_and(|response| response.status() == StatusCode::OK);
                let mut course = world.course();
                course.count(is_innocent, served);
                course.outstanding -= 1;
                if course.outstanding == 0 {
                    world.idle.notify_one();
                }
            });
        }
        tokio::task::yield_now().await;
    }
}

impl Course {
    fn due(&mut self) -> Option<(bool, Vec<u8>)> {
        let at = self.innocent_at.min(self.attack_at);
        if at > self.now || at >= TIME {
            return None;
        }
        self.outstanding += 1;
        if at == self.attack_at {
            self.attack_at += self.attack_gap;
            return Some((false, vec![b'a'; ATTACK_BYTES]));
        }
        self.innocent_at += self.gap;
        self.bodies.rotate_left(1);
        Some((true, self.bodies[0].clone()))
    }

    fn count(&mut self, is_innocent: bool, served: bool) {
        let counts = &mut self.counts;
        match (is_innocent, served) {
            (true, true) => counts.innocent_served += u64::from(self.now < TIME),
            (true, false) => counts.innocent_rejected += 1,
            (false, true) => counts.attack_served += u64::from(self.now < TIME),
            (false, false) => counts.attack_rejected += 1,
        }
    }
}

/// The work is done on a thread for it, so that the runtime can take requests meanwhile; the response says what it has
/// cost. Requests that arrive within this time are sent before the response leaves.
async fn handle(world: Arc<World>, request: Request<Vec<u8>>) -> Result<Response<String>, BoxError> {
    let work = move || {
        let begin = thread_cpu();
        let found = find(request.body());
        (found, thread_cpu() - begin)
    };
    let (found, cost) = tokio::task::spawn_blocking(work).await?;
    world.course().now += cost;
    world.send_due().await;
    let mut response = Response::new(found.map_or_else(|| "clean".to_owned(), |place| format!("found at {place}")));
    response.extensions_mut().insert(Cost(cost));
    Ok(response)
}

fn respond(answer: Result<Response<String>, SurgeError<BoxError>>) -> Result<Response<String>, SurgeError<BoxError>> {
    match answer {
        Err(error) if error.is_rejection() => {
            let mut response = Response::new(error.to_string());
            *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            Ok(response)
        }
        other => other,
    }
}

/// An innocent request each `gap`, and the attacker's between them.
async fn run(layer: Layer, gap: Duration, attack: f64) -> Counts {
    let mut rng = Seed(1).stream("bodies");
    let attack_gap = gap.mul_f64(ATTACK_BYTES as f64 / (INNOCENT_BYTES as f64 * attack.max(1e-9)));
    let course = Course {
        now: Duration::ZERO,
        gap,
        attack_gap,
        innocent_at: Duration::ZERO,
        attack_at: attack_gap,
        bodies: (0..50).map(|_| innocent(&mut rng)).collect(),
        outstanding: 0,
        counts: Counts::default(),
    };
    let world = Arc::new(World { layer, course: Mutex::new(course), idle: Notify::new() });
    loop {
        {
            // Nothing waits: time goes on to the next request.
            let mut course = world.course();
            course.now = course.now.max(course.innocent_at.min(course.attack_at));
            if course.now >= TIME {
                return course.counts;
            }
        }
        world.send_due().await;
        while world.course().outstanding > 0 {
            world.idle.notified().await;
        }
    }
}

fn layer(policy: Policy, learns: bool) -> Layer {
    let builder = Surge::builder(MOST_WAITING).policy(policy);
    let builder = if learns {
        builder.estimator(WorstPerByte::new(|waiter: &Waiter, features: &mut Vec<u32>| {
            features.extend(waiter.features());
        }))
    } else {
        builder
    };
    let layer = Layer::new(builder, 1, describe).expect("the builder is right");
    layer.cost(|response: &Response<String>| response.extensions().get().map(|&Cost(cost)| cost))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // What an innocent request costs here, with the measuring.
    let calibration = layer(Policy::Fcfs, false);
    run(calibration.clone(), Duration::from_micros(100), 0.0).await;
    let metrics = calibration.metrics();
    let cost = metrics.work_spent.div_f64(metrics.done.jobs as f64);
    let gap = cost.div_f64(LOAD);
    println!("an innocent request of {INNOCENT_BYTES} B costs {cost:.1?}; one comes every {gap:.1?}");

    let baseline = run(layer(Policy::Fcfs, false), gap, 0.0).await.innocent_served;
    println!("without attack {baseline} are served in {TIME:?}\n");
    println!("attack: {ATTACK_BYTES} B of `a`, {} % of the innocent bytes", 100.0 * ATTACK);
    println!("{:22} {:>10} {:>8} {:>14} {:>10}", "", "innocent", "", "attack", "bytes");
    println!("{:22} {:>10} {:>8} {:>14} {:>10}", "", "served", "503", "served", "displaced");
    for (name, policy, learns) in [
        ("fcfs", Policy::Fcfs, false),
        ("wsjf, fooled", Policy::Wsjf, false),
        ("wsjf, worst per byte", Policy::Wsjf, true),
    ] {
        let counts = run(layer(policy, learns), gap, ATTACK).await;
        let attack_bytes = baseline as f64 * INNOCENT_BYTES as f64 * ATTACK;
        let displaced = (baseline as f64 - counts.innocent_served as f64) * INNOCENT_BYTES as f64 / attack_bytes;
        let attack = format!("{} of {}", counts.attack_served, counts.attack_served + counts.attack_rejected);
        println!(
            "{name:22} {:10} {:8} {attack:>14} {displaced:10.2}",
            counts.innocent_served, counts.innocent_rejected
        );
    }
    println!("\ndisplaced: innocent bytes not served for each byte that the attacker sends");
}
