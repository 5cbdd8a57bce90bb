//! What befalls a server: it is killed, its disk is full, another one takes its place.

use super::cluster::{Cluster, PROGRAMS, free_port, programs, sh};

/// Attempts to start a server while the last processes of the one that was killed end. Each takes a tenth of a second.
const STARTS_MAX: u32 = 200;

impl Cluster {
    /// Starts a server with a folder `small` of this many MiB, which is gone with the server. Mounting it needs root.
    pub fn start_with_small_disk(mib: u32, settings: &str) -> Self {
        let mut cluster = Self::new(programs(PROGRAMS), 5432);
        cluster.disk_mib = Some(mib);
        cluster.init(settings, |_| {});
        cluster
    }

    /// Starts a server that follows this one, on a port that was free a moment ago.
    pub fn start_standby(&self) -> Self {
        let standby = Self::new(self.programs, free_port());
        let port = self.port.to_string();
        standby.pg(
            "pg_basebackup",
            &[
                "-D",
                "data",
                "-R",
                "-X",
                "stream",
                "-c",
                "fast",
                "-h",
                "127.0.0.1",
                "-p",
                &port,
                "-U",
                "postgres",
            ],
        );
        standby.add_settings(&standby.place());
        standby.start_again();
        standby
    }

    /// Kills the server's first process, as a lack of memory would; the others end when they notice.
    pub fn kill(&self) {
        self.kill_process(self.first_process());
    }

    /// Kills the server's first process and those that serve clients, as a loss of the machine would: without the first one
    /// they would go on for a while.
    pub fn kill_all(&self, clients: &[Vec<String>]) {
        let pids: String = clients.iter().map(|row| format!(" {}", row[0])).collect();
        // A process may have ended already.
        sh(&self.folder, &format!("kill -KILL {}{pids} || true", self.first_process()));
    }

    /// Kills one of the server's processes; the first one then ends the others and recovers.
    pub fn kill_process(&self, pid: u64) {
        sh(&self.folder, &format!("kill -KILL {pid}"));
    }

    fn first_process(&self) -> u64 {
        let file = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        file.lines().next().unwrap().parse().unwrap()
    }

    /// Starts the server after `kill`: the last of its processes must have ended before it can.
    pub fn revive(&self) {
        let is_started = || self.starting().output().unwrap().status.success();
        assert!((0..STARTS_MAX).any(|_| is_started()), "the server does not start again");
    }

    /// Lets a standby become the server, at the port of the one that it followed.
    pub fn take_over(&mut self, port: u16) {
        self.pg("pg_ctl", &["-D", "data", "-w", "promote"]);
        self.pg("pg_ctl", &["-D", "data", "-w", "stop"]);
        self.port = port;
        self.add_settings(&self.place());
        self.start_again();
    }

    /// Gives the folder `small` another size.
    pub fn resize_small_disk(&self, mib: u32) {
        let pid = self.first_process();
        sh(
            &self.folder,
            &format!("nsenter -t {pid} -m mount -o remount,size={mib}m '{}/small'", self.folder.display()),
        );
    }
}
