//! Notifications of packets that have yet to reach the port that sends them.

use crate::metric::{Better, FREE, Family, Of, Unit, metric};

pub(crate) const ENTRY: Family = Family {
    definition: "Relayed notifications of packets that had yet to reach the port; they may change",
    better: Better::Neither,
    cost: FREE,
    source: None,
    metrics: &[
        metric(
            "forecasts",
            Unit::Counted("notifications"),
            "Notifications of packets that had yet to reach the port",
            &[Of::States(|state| Some(state.told?.forecasts as f64))],
        ),
        metric(
            "forecasts_replaced",
            Unit::Counted("notifications"),
            "Forecasts that the packet's own notification replaced",
            &[Of::States(|state| Some(state.told?.forecasts_replaced as f64))],
        ),
        metric(
            "mean_forecast_error_ns",
            Unit::Nanoseconds,
            "Mean difference between the times in a forecast and in the packet's own notification",
            &[Of::States(|state| state.told?.mean_forecast_error_ns())],
        )
        .in_table("mean_forecast_error")
        .better(Better::Lower),
    ],
};
